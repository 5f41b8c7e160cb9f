import { appendFile, readFile } from 'node:fs/promises';
import type { NamedBuild } from '../build.ts';
import { stateFile } from '../state.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Build = NamedBuild & { url: string };
/** How the import of a file ended on this machine; null: the service has the report, and judges it. */
type Note = { file: string; problem: string | null };

const fileOf = (env: Env, { url, repository, ref, buildId }: Build): Promise<string> =>
  stateFile(env, 'builds', [url, repository, ref, buildId]);

/** Notes how an import ended. A line is written at once, so that several imports may do so together. */
export const noteImport = async (env: Env, build: Build, note: Note): Promise<void> =>
  appendFile(await fileOf(env, build), `${JSON.stringify(note)}\n`, { mode: 0o600 });

/** Why reports of a build never reached the service; a file that was imported again counts as its last import. */
export async function problemsOf(env: Env, build: Build): Promise<string[]> {
  const text = await readFile(await fileOf(env, build), 'utf8').catch(() => '');
  const notes: Note[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  const last = new Map(notes.map(({ file, problem }) => [file, problem]));
  return [...last.values()].flatMap((problem) => (problem === null ? [] : [problem]));
}
