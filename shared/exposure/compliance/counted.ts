import { assets } from '#shared/assets/asset/asset.ts';
import {
  applicationGroup,
  assetName,
  type CounterSet,
  counterRow,
  counterRows,
  EVERYTHING,
  WEAKNESS_SET,
  zoneGroup,
} from '#shared/assets/controls/compliance-counters.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { type Counts, readTallies, type TallyCount } from '#shared/platform/table/counters.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { AssetType } from '#shared/reports/report/asset-type.ts';

/** The assessed assets: all, or those of a zone or an application, and of these perhaps only one type. */
export type AssetGroup = {
  zone?: string | undefined;
  applicationId?: string | undefined;
  assetType?: AssetType | undefined;
};

/** The counters of a group (`shared/assets/controls/compliance-counters.ts`). */
export type Counted = {
  /** The types of its assets, each with the number of assets. */
  types: ReadonlyMap<AssetType, number>;
  control: (set: CounterSet) => Counts;
  looked: (set: CounterSet) => Counts;
};

const rowGroup = ({ zone, applicationId }: AssetGroup): string => {
  if (applicationId !== undefined) return applicationGroup(applicationId);
  return zone === undefined ? EVERYTHING : zoneGroup(zone);
};

/** The counter rows of the group for findings and assets: one round trip for any number of records. */
export async function readCounted(table: Table, group: AssetGroup): Promise<Counted> {
  const name = rowGroup(group);
  const range = counterRows(name);
  const { dynamo, tenant } = table;
  const [control, looked] = await Promise.all([
    readTallies({ dynamo, tenant, entity: findings }, 'control', range),
    readTallies({ dynamo, tenant, entity: assets }, 'looked', range),
  ]);
  const countsIn = (rows: readonly TallyCount[]) => (set: CounterSet) =>
    rows.find(({ value }) => value === counterRow(set, name))?.counts ?? {};
  const lookedIn = countsIn(looked);
  const count = lookedIn(WEAKNESS_SET);
  const wanted = group.assetType === undefined ? AssetType.options : [group.assetType];
  const types = new Map(wanted.map((type) => [type, count[assetName(type)] ?? 0]));
  return { types, control: countsIn(control), looked: lookedIn };
}
