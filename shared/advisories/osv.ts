import * as z from 'zod';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { AdvisoryRecord } from './records.ts';

/** The stored parts of an OSV record: its names, its ratings, and the package versions that are not affected. */
export const OsvRecord = z.object({
  id: z.string(),
  modifiedAt: z.string(),
  /** CVEs and other databases' ids of the same vulnerability. */
  aliases: z.array(z.string()),
  cvss: AdvisoryRecord.shape.cvss,
  /** `purl` has no version and is in lower case. */
  fixed: z.array(z.object({ purl: z.string(), version: z.string() })),
});
export type OsvRecord = z.infer<typeof OsvRecord>;

/** A record with one of its names. */
type NamedOsv = OsvRecord & { name: string };

export const osvRows = defineRow<NamedOsv, Pick<NamedOsv, 'name' | 'id'>>({
  name: 'osv-advisory',
  about: 'an OSV record under its id and under each CVE that it names',
  key: ({ name, id }) => [name, id],
});

const isCve = (id: string): boolean => /^CVE-\d{4}-\d{4,8}$/.test(id);

/** The names under which a record is stored. */
export const namesOf = ({ id, aliases }: Pick<OsvRecord, 'id' | 'aliases'>): string[] => [
  ...new Set([id, ...aliases.filter(isCve)]),
];

/** The CVE of a record; undefined where the record names several, because each is another vulnerability. */
export function cveOf({ id, aliases }: Pick<OsvRecord, 'id' | 'aliases'>): string | undefined {
  const cves = [...new Set(aliases.filter(isCve))];
  return isCve(id) || cves.length !== 1 ? undefined : cves[0];
}

/** The records of each of these names, by name; half a read unit each. */
export async function readOsv(dynamo: Dynamo, names: readonly string[]): Promise<Map<string, NamedOsv[]>> {
  const rows = openTable(dynamo, GLOBAL_SCOPE).rows(osvRows);
  const found = await Promise.all([...new Set(names)].map(async (name) => [name, await rows.query(name)] as const));
  return new Map(found.filter(([, records]) => records.length > 0));
}
