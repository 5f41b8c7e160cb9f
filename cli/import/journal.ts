import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { stateFile } from '../state.ts';

type Env = Readonly<Record<string, string | undefined>>;
/** An import that has begun. Its key makes the service answer a repetition as the first time. */
type Begun = { key: string; at: string; uploadId?: string };
export type Journal = Begun & { keep(uploadId: string): Promise<void>; end(): Promise<void> };

/** The service repeats an answer for a day. */
const KNOWN_MS = 23 * 3_600_000;

/**
 * The file in which a command that is killed leaves the key of its import: called again with the same report, it continues
 * instead of importing twice. The file has no secret, and ends with the import.
 */
export async function openJournal(env: Env, request: readonly unknown[]): Promise<Journal> {
  const file = await stateFile(env, 'imports', request);
  const begun = (await earlier(file)) ?? { key: randomUUID(), at: new Date().toISOString() };
  await write(file, begun);
  return {
    ...begun,
    keep: (uploadId) => write(file, { ...begun, uploadId }),
    end: () => rm(file, { force: true }),
  };
}

async function write(file: string, begun: Begun): Promise<void> {
  const next = `${file}.${process.pid}`;
  await writeFile(next, JSON.stringify(begun), { mode: 0o600 });
  await rename(next, file);
}

async function earlier(file: string): Promise<Begun | undefined> {
  try {
    const begun: Begun = JSON.parse(await readFile(file, 'utf8'));
    return Date.now() - Date.parse(begun.at) < KNOWN_MS ? begun : undefined;
  } catch {
    return undefined; // none, or one that was not written to its end
  }
}
