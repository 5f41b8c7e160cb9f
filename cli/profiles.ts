import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, Failure } from './errors.ts';

/** A key that does not change, or the session of a person, whose refresh token changes with each use. */
export type Credential =
  | { kind: 'key'; key: string }
  | { kind: 'session'; refreshToken: string; accessToken: string; expiresAt: string };
export type Profile = { url: string; credential: Credential };
type Profiles = { current?: string; profiles: Record<string, Profile> };

type Env = Readonly<Record<string, string | undefined>>;

/** The private file of the profiles. */
export function profilesFile(env: Env): string {
  if (env.EXPOSURE_PROFILES) return env.EXPOSURE_PROFILES;
  const windows = process.platform === 'win32' ? env.APPDATA : undefined;
  const base = windows ?? env.XDG_CONFIG_HOME ?? join(env.HOME ?? homedir(), '.config');
  return join(base, 'exposure', 'profiles.json');
}

export async function readProfiles(env: Env): Promise<Profiles> {
  const file = profilesFile(env);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Failure(EXIT.credentials, `${file} cannot be read: ${error.code}`, 'Make the file readable for you.');
  });
  if (text === undefined) return { profiles: {} };
  try {
    const parsed: Profiles = JSON.parse(text);
    return { ...parsed, profiles: { ...parsed.profiles } };
  } catch {
    throw new Failure(EXIT.credentials, `${file} is no JSON.`, `Remove the file and run "exposure login" again.`);
  }
}

/** Changes the profiles while no other process does. The file is replaced as a whole, and only its owner may read it. */
export const changeProfiles = (env: Env, change: (profiles: Profiles) => Profiles | Promise<Profiles>) =>
  alone(env, async () => {
    const file = profilesFile(env);
    const changed = await change(await readProfiles(env));
    const next = `${file}.${process.pid}.new`;
    await writeFile(next, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
    await chmod(next, 0o600);
    await rename(next, file);
    return changed;
  });

const LOCK_ENDS_MS = 90_000;
const LOOK_AGAIN_MS = 50;

/** A lock file that its process left behind counts no more after 90 seconds. */
async function alone<T>(env: Env, work: () => Promise<T>): Promise<T> {
  const lock = `${profilesFile(env)}.lock`;
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  while (!(await isTaken(lock))) await sleep(LOOK_AGAIN_MS);
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function isTaken(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const left = await stat(lock).catch(() => undefined);
    if (left && Date.now() - left.mtimeMs > LOCK_ENDS_MS) await rm(lock, { force: true });
    return false;
  }
}
