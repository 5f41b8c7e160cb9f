import { listAt, textAt, textsAt } from '../../readers/json.ts';

/** The package URL of an OSV record has no version; the scanner names the version beside it. */
export function versionedPurl(affected: readonly unknown[], version: string | undefined): string | undefined {
  const purl = affected.flatMap((one) => textsAt(one, 'package', 'purl'))[0];
  if (!purl || !version || purl.includes('@', purl.lastIndexOf('/'))) return purl;
  const [name, qualifiers] = purl.split('?');
  return `${name}@${encodeURIComponent(version.toWellFormed())}${qualifiers ? `?${qualifiers}` : ''}`;
}

/** The first fix of each branch of releases. Branches that end below the version are left out, if that leaves any. */
export function fixedVersionsOf(affected: readonly unknown[], version = ''): string[] {
  const events = affected
    .flatMap((one) => listAt(one, 'ranges'))
    .filter((range) => textAt(range, 'type') !== 'GIT')
    .flatMap((range) => listAt(range, 'events'));
  const fixed = [...new Set(events.flatMap((event) => textsAt(event, 'fixed')))];
  const later = fixed.filter((one) => compared(one, version) > 0);
  return later.length > 0 ? later : fixed;
}

/** By their numbers: enough to leave out fixes of older branches, in any ecosystem's order. */
function compared(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.match(/\d+/g)?.map(Number) ?? []);
  for (let n = 0; n < Math.max(left?.length ?? 0, right?.length ?? 0); n += 1) {
    const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
