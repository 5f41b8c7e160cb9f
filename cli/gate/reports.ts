import { appendFile, readFile } from 'node:fs/promises';
import type { NamedBuild } from '../build.ts';
import { stateFile } from '../state.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Build = NamedBuild & { url: string };
/** A report of a build: the task of its import, or why it could not be imported. */
export type Report = { file: string; taskId: string } | { file: string; problem: string };

const fileOf = (env: Env, { url, repository, ref, buildId }: Build): Promise<string> =>
  stateFile(env, 'builds', [url, repository, ref, buildId]);

/** Adds a report to its build. A line is written at once, so that several imports may do so together. */
export const addReport = async (env: Env, build: Build, report: Report): Promise<void> =>
  appendFile(await fileOf(env, build), `${JSON.stringify(report)}\n`, { mode: 0o600 });

/** The reports that this machine has imported for a build; a file that was imported again counts once. */
export async function reportsOf(env: Env, build: Build): Promise<Report[]> {
  const text = await readFile(await fileOf(env, build), 'utf8').catch(() => '');
  const all: Report[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return [...new Map(all.map((report) => [report.file, report])).values()];
}
