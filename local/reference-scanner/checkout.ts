import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { IGNORE_FILES } from './code-tools.ts';
import { gitIn, type Login } from './git.ts';

/** The parameters of a task that select the files. */
const Wanted = z.object({
  ref: z.string().min(1).optional(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  depth: z.enum(['full', 'changes']).default('full'),
  since: z.string().min(1).optional(),
});

type Checkout = {
  url: string;
  parameters: Record<string, unknown>;
  directory: string;
  login?: Login;
  proxy?: string;
};

/**
 * Fetches one commit without its history into a new directory: all files, or only the changed ones. The caller removes
 * the directory, also after a failure.
 */
export async function checkOut({ directory, parameters, ...host }: Checkout, signal: AbortSignal): Promise<void> {
  const { protocol } = new URL(host.url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error(`the scanner fetches over HTTP, not ${protocol}`);
  const { ref, commit, depth, since } = Wanted.parse(parameters);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const git = gitIn(directory, host, signal);
  const fetch = async (what: string) => {
    await git('fetch', '--quiet', '--depth', '1', '--no-tags', '--end-of-options', host.url, what);
    return (await git('rev-parse', 'FETCH_HEAD')).trim();
  };
  await git('init', '--quiet');
  const head = await fetch(commit ?? (ref === undefined ? 'HEAD' : fullRef(ref)));
  await git('checkout', '--quiet', '--detach', head);
  if (depth === 'changes' && since !== undefined) {
    const base = await fetch(/^[0-9a-f]{40,64}$/.test(since) ? since : `refs/heads/${since}`);
    await removeUnchanged(
      directory,
      await namesOf(git('ls-files', '-z')),
      await namesOf(git('diff', '--name-only', '-z', base, head)),
    );
  }
  for (const name of await namesOf(git('ls-files', '-z')))
    if (IGNORE_FILES.has(basename(name))) await rm(join(directory, name), { recursive: true, force: true });
  // tools then read files, not the history or settings of git
  await rm(join(directory, '.git'), { recursive: true, force: true });
}

/** A name is a branch's name; the head of a fork's pull request comes as a full ref. */
const fullRef = (ref: string): string => (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`);

const namesOf = async (list: Promise<string>): Promise<string[]> =>
  (await list).split('\0').filter((name) => name !== '');

async function removeUnchanged(directory: string, all: readonly string[], changed: readonly string[]): Promise<void> {
  const kept = new Set(changed);
  for (const name of all) if (!kept.has(name)) await rm(join(directory, name), { recursive: true, force: true });
}
