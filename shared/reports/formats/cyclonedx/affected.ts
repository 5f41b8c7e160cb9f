import { decoded } from '#shared/platform/runtime/texts.ts';
import { isObject, listAt, textAt, textsAt } from '../../readers/json.ts';
import { type Bom, componentAt } from './bom.ts';

/**
 * A target may list versions. One that is listed as unaffected is none; where all are, another version than theirs is
 * affected, because they are then the fix.
 */
export function isAffected(bom: Bom, target: unknown): boolean {
  const versions = listAt(target, 'versions');
  const unaffected = versions.filter((one) => textAt(one, 'status') === 'unaffected');
  if (unaffected.length === 0) return true;
  const { version } = componentAt(bom, textAt(target, 'ref') ?? '');
  if (version === undefined) return unaffected.length < versions.length;
  return !unaffected.some((one) => isFor(one, version));
}

const isFor = (one: unknown, version: string): boolean =>
  textAt(one, 'version') === version || partsOf(one).some((part) => part === '*' || part.replace(/^=/, '') === version);

/** The first version of each range that is unaffected, otherwise the ends of the affected ranges. */
export function fixesIn(target: unknown): string[] {
  const versions = listAt(target, 'versions');
  const unaffected = versions.filter((one) => textAt(one, 'status') === 'unaffected');
  const fixed = unaffected.flatMap((one) => [
    ...textsAt(one, 'version'),
    ...partsOf(one).flatMap((part) => /^(?:>=|=)?(\w.*)$/s.exec(part)?.[1] ?? []),
  ]);
  const ranges = versions.filter((one) => textAt(one, 'status') !== 'unaffected');
  return fixed.length > 0 ? fixed : ranges.flatMap(partsOf).flatMap((part) => /^<(\w.*)$/s.exec(part)?.[1] ?? []);
}

/** `vers:npm/>=4.17.21|!=5.0.0`: a version range specifier (ECMA-428). */
const partsOf = (one: unknown): string[] =>
  (/^vers:[^/]{1,50}\/(.+)$/s.exec(textAt(one, 'range') ?? '')?.[1] ?? '')
    .split('|')
    .map((part) => decoded(part.trim()))
    .filter((part) => part !== '');

const OF_INSPECTOR = 'amazon:inspector:sbom_scanner:fixed_version:';

/** Amazon Inspector names the fix of each component, by its reference, in a property. */
export const fixesOfInspector = (vulnerability: unknown, ref: string): string[] =>
  listAt(vulnerability, 'properties')
    .filter(isObject)
    .filter(({ name }) => name === OF_INSPECTOR + ref)
    .flatMap((property) => textsAt(property, 'value'));
