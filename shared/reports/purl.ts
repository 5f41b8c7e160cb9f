import { decoded } from '../runtime/texts.ts';

/** The name and version in a package URL: `org.example:core` for Maven, `@scope/name` for npm, `owner/name` elsewhere. */
export function packageOfPurl(purl: string | undefined): { name?: string; version?: string } {
  const [, type, path, version] = /^pkg:([^/@?#]+)\/([^@?#]+)(?:@([^?#]+))?/.exec(purl ?? '') ?? [];
  if (!type || !path) return {};
  const name = decoded(path);
  // Distributions stand before their packages, which are known without them.
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
