import { withoutTrailing } from '#shared/platform/runtime/texts.ts';

/** `git@host:owner/name.git`, as git takes it for an SSH address (gitrevisions and git-clone, "GIT URLS"). */
const SCP = /^[^@/\s]+@([\w.-]+):\/*([^\s/]\S*)$/;
/** `host.example/owner/name`: an owner and a name alone name no host. */
const HOST_PATH = /^([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/(\/*[^\s/]+\/\S+)$/;

/**
 * The one name of a repository, however it is fetched: `https://host/owner/name`. Users, tokens and passwords of an
 * address, `.git`, the port of SSH and the letter case of the host are no part of it. A name without a host stays.
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
 * The one name of a branch: `refs/heads/main` is `main`. The refs of a request to merge are one branch: GitHub's
 * `refs/pull/7/merge` and `7/merge` are `pull/7`, GitLab's `refs/merge-requests/7/head` is `merge-requests/7`.
 */
export function refName(given: string): string {
  const ref = given.trim().replace(/^refs\/(heads\/|remotes\/[^/]+\/)?/, '');
  const [, kind = 'pull', number] =
    /^(?:(pull|merge-requests|pull-requests)\/)?(\d+)\/(?:merge|head|from)$/.exec(ref) ?? [];
  return number ? `${kind}/${number}` : ref;
}
