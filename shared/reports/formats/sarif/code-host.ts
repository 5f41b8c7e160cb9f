import { decoded } from '#shared/platform/runtime/texts.ts';

/** A repository on a code host; `path` is a file in it. */
type OnCodeHost = { repository: string; path?: string };

/** Ends of pages that show a file, behind the repository; no other site has such addresses. */
const FILE_PAGES = [
  /^(.{1,500}?)\/-\/(?:blob|tree|raw|blame)\/(?:refs\/heads\/)?[^/]+\/(.+)$/,
  /^(\/[^/]+\/[^/]+)\/(?:blob|tree|raw|blame|src|src\/commit|raw\/commit)\/[0-9a-f]{7,64}\/(.+)$/,
  /^(\/(?:projects|users)\/[^/]+\/repos\/[^/]+)\/(?:browse|raw)\/(.+)$/,
];

/** Hosts on which every address below an owner and a name is of that repository. */
const HOSTS = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)$/;
const HOSTED_FILE =
  /^\/(?:(?:src|raw)\/(?:branch|commit|tag)|blob|tree|raw|blame|src)\/(?:refs\/(?:heads|tags)\/)?[^/]+\/(.+)$/;

/** Of the address of a page of a code host; undefined for another site. */
export function onCodeHost(url: string): OnCodeHost | undefined {
  const page = URL.parse(url);
  if (!page) return undefined;
  const { origin, hostname, pathname } = page;
  for (const pattern of FILE_PAGES) {
    const [, name, path = ''] = pattern.exec(pathname) ?? [];
    if (name) return { repository: origin + name, path: decoded(path) };
  }
  const [owner, name, ...rest] = pathname.slice(1).split('/');
  if (!owner || !name) return undefined;
  if (hostname === 'raw.githubusercontent.com')
    return { repository: `https://github.com/${owner}/${name}`, ...fileOf(`/raw/${rest.join('/')}`) };
  return HOSTS.test(hostname)
    ? { repository: `${origin}/${owner}/${name}`, ...fileOf(`/${rest.join('/')}`) }
    : undefined;
}

function fileOf(page: string): { path?: string } {
  const path = HOSTED_FILE.exec(page)?.[1];
  return path ? { path: decoded(path) } : {};
}
