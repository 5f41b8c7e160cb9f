import { withoutTrailing } from '#shared/platform/runtime/texts.ts';

/** `git@host:owner/name.git`, as git takes it for an SSH address (gitrevisions and git-clone, "GIT URLS"). */
const SCP = /^[^@/\s]+@([\w.-]+):\/*([^\s/]\S*)$/;
/** `host.example/owner/name`: only an owner and a name contain no host. */
const HOST_PATH = /^([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/(\/*[^\s/]+\/\S+)$/;

/**
 * The canonical name of a repository from any of its addresses: `https://host/owner/name`. It has no user, token or
 * password, no `.git`, no SSH port, and the host in lower case. A name without a host stays.
 */
export function repositoryName(given: string): string {
  const value = given.trim();
  const url = value.includes('://') ? URL.parse(value) : fromShort(value);
  if (!url?.hostname) return plainPath(value);
  const scheme = url.protocol === 'http:' && url.port !== '' ? 'http' : 'https';
  const host = url.protocol.startsWith('http') ? url.host : url.hostname;
  return `${scheme}://${host.toLowerCase()}${plainPath(url.pathname.replaceAll(/\/{2,}/g, '/'))}`;
}

function fromShort(value: string): URL | null {
  const [, host, path] = SCP.exec(value) ?? HOST_PATH.exec(value) ?? [];
  return host ? URL.parse(`https://${host}/${path}`) : null;
}

const plainPath = (path: string): string => withoutTrailing('/', withoutTrailing('/', path).replace(/\.git$/, ''));

/**
 * The canonical name of a branch: `refs/heads/main` is `main`. The refs of a merge request are one branch: GitHub's
 * `refs/pull/7/merge` and `7/merge` are `pull/7`, GitLab's `refs/merge-requests/7/head` is `merge-requests/7`.
 */
export function refName(given: string): string {
  const ref = given.trim().replace(/^refs\/(heads\/|remotes\/[^/]+\/)?/, '');
  const [, kind = 'pull', number] =
    /^(?:(pull|merge-requests|pull-requests)\/)?(\d+)\/(?:merge|head|from)$/.exec(ref) ?? [];
  return number ? `${kind}/${number}` : ref;
}

/** Whether a name without a host, as `GITHUB_REPOSITORY` has it, is that of the repository at an address. */
export const isShortFor = (short: string, address: string): boolean =>
  short.includes('/') && !short.includes('://') && address.toLowerCase().endsWith(`/${short.toLowerCase()}`);
