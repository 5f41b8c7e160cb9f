import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { zones } from '../zones/zone.ts';
import { type Placing, placingOf } from './zones.ts';

/** Places addresses by the zones of an organization; undefined where it has none. */
export async function readZones(table: Table): Promise<Placing | undefined> {
  const known = await recordsOf(table, zones);
  return known.length === 0 ? undefined : placingOf(known);
}
