import * as z from 'zod';
import type { Tally } from '#shared/platform/table/entity.ts';
import { type OperatingSystem, OS_FAMILIES } from '#shared/reports/report/report.ts';

type Named = { family: OperatingSystem['family']; name?: string | null; version?: string | null };

/** Characters of a part that a catalogue shows; a key of the table has room for them in any script. */
const MAX_PART = 100;
const part = (text: string | null | undefined): string | null =>
  text?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_PART) || null;

export const operatingSystem = ({ family, name, version }: Named): OperatingSystem => ({
  family,
  name: part(name),
  version: part(version),
});

/** One text for an operating system, which `readOsTally` splits again. */
export function osMark(os: Named | null | undefined): string | undefined {
  if (!os) return undefined;
  const { family, name, version } = operatingSystem(os);
  return [family, name ?? '', version ?? ''].join('\n');
}

/** Counts records per operating system. */
export function osTally(os: Named | null | undefined): Tally[] {
  const value = osMark(os);
  return value === undefined ? [] : [{ facet: 'os', value }];
}

/** The same text as people write it. */
export const writtenOs = (os: Named): string => (osMark(os) ?? '').replaceAll('\n', '|');
export const spelledOs = (text: string): string => text.replaceAll('|', '\n');

export function readOsTally(value: string | null): OperatingSystem {
  const [family, name, version] = (value ?? '').split('\n');
  return { family: z.enum(OS_FAMILIES).parse(family), name: name || null, version: version || null };
}
