import { decoded } from '#shared/platform/runtime/texts.ts';

/** The name and version in a package URL: `org.example:core` for Maven, `@scope/name` for npm, `owner/name` elsewhere. */
export function packageOfPurl(purl: string | undefined): { name?: string; version?: string } {
  const [, type, path, version] = /^pkg:([^/@?#]+)\/([^@?#]+)(?:@([^?#]+))?/.exec(purl ?? '') ?? [];
  if (!type || !path) return {};
  const name = decoded(path);
  // Distributions come before their packages, which are unambiguous without them.
  const own = ['deb', 'rpm', 'apk'].includes(type) ? name.slice(name.indexOf('/') + 1) : name;
  return {
    name: type === 'maven' ? own.replace(/\/(?=[^/]*$)/, ':') : own,
    ...(version && { version: decoded(version) }),
  };
}

/** The package URL of a package that a report names by its type (`npm`, `deb/debian`), name and version. */
export function purlOf(type: string, { name, version }: { name: string; version?: string }): string {
  const path = name.replace(/^@/, '%40').replace(':', '/');
  return `pkg:${type}/${path}${version ? `@${version}` : ''}`;
}

/**
 * The package of a URL in its canonical spelling: without version, qualifiers (`arch`, `distro`, `repository_url`,
 * `checksum`) and subpath, in lower case, each part encoded by the purl specification, and Python's names as PyPI
 * compares them.
 */
export function packagePurl(purl: string): string {
  const [named = ''] = purl.trim().split(/[?#]/);
  const at = named.lastIndexOf('@');
  const path = (at > named.lastIndexOf('/') ? named.slice(0, at) : named).replace(/^pkg:\/*/i, '');
  const [type = '', ...parts] = path
    .split('/')
    .filter(Boolean)
    .map((part) => decoded(part).toLowerCase());
  const names = type === 'pypi' ? parts.map((part) => part.replace(/[-_.]+/g, '-')) : parts;
  return `pkg:${[type, ...names.map(encoded)].join('/')}`;
}

/** The specification does not encode colons. */
const encoded = (part: string): string => encodeURIComponent(part).replaceAll('%3A', ':');

/** Reversed domains name groups of Maven, hosts name modules of Go. */
const REVERSED = /^(?:com|org|net|io|edu|gov|de|fr|uk|ch|nl|dev|jakarta|javax)\.[^/]+\/[^/]+$/i;
const HOST = /^[^/]+\.(?:com|org|net|io|in|dev|sh|cc)\//i;

/** Debian's `libc6:amd64` is `libc6`. */
const ARCHITECTURE = /:(?:amd64|arm64|armhf|armel|i386|all|any|native|ppc64el|riscv64|s390x|mips64el)$/i;
export const withoutArchitecture = (name: string): string => name.replace(ARCHITECTURE, '');

/** The package of a bare name whose form shows its ecosystem: `@scope/name`, `org.example:core`, `github.com/x/y`. */
export function purlOfName(name: string): string | undefined {
  const type = ecosystemOf(name);
  return type && packagePurl(purlOf(type, { name }));
}

function ecosystemOf(name: string): string | undefined {
  if (/^@[^/@]+\/[^/@]+$/.test(name)) return 'npm';
  if (/^[\w.-]+:[\w.-]+$/.test(withoutArchitecture(name)) || REVERSED.test(name)) return 'maven';
  return HOST.test(name) ? 'golang' : undefined;
}
