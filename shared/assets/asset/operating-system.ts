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

/** Counts records per operating system, under one text that `readOsTally` splits again. */
export function osTally(os: Named | null | undefined): Tally[] {
  if (!os) return [];
  const { family, name, version } = operatingSystem(os);
  return [{ facet: 'os', value: [family, name ?? '', version ?? ''].join('\n') }];
}

export function readOsTally(value: string | null): OperatingSystem {
  const [family, name, version] = (value ?? '').split('\n');
  return { family: z.enum(OS_FAMILIES).parse(family), name: name || null, version: version || null };
}
