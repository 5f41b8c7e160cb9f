import { findings } from '../entities/finding.ts';
import type { Table } from '../table/table.ts';
import { keysIn, readContributed } from '../views/contributed.ts';

/** Part of the keys of what findings contributed to vulnerabilities. */
export const VIEW = 'vulnerability';

/** The keys of the vulnerabilities that findings name, by the findings' ids, as the reader of the changes followed them last. */
export async function keysNamedBy(table: Table, ids: readonly string[]): Promise<Map<string, string[]>> {
  const contributed = await readContributed(table, findings.name, [...new Set(ids)]);
  return new Map(contributed.map((one) => [one.id, keysIn(one, VIEW)]));
}
