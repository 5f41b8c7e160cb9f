import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** A private file of the program, named by what it is about. It has no secret. */
export async function stateFile(env: Env, folder: string, about: readonly unknown[]): Promise<string> {
  const base = env.XDG_STATE_HOME ?? join(env.HOME ?? homedir(), '.local/state');
  const directory = join(base, 'exposure', folder);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return join(directory, createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32));
}
