import { assets } from '../entities/asset.ts';
import { AssetType } from '../entities/asset-type.ts';
import {
  applicationGroup,
  assetName,
  type CounterSet,
  counterRow,
  EVERYTHING,
  WEAKNESS_SET,
  zoneGroup,
} from '../entities/compliance-counters.ts';
import { findings } from '../entities/finding.ts';
import { BENCHMARKS } from '../reports/report.ts';
import { type Counts, readTalliesOf } from '../table/counters.ts';
import type { Table } from '../table/table.ts';

/** The assets that are assessed: all, those of a zone or an application, and of these those of a type. */
export type AssetGroup = {
  zone?: string | undefined;
  applicationId?: string | undefined;
  assetType?: AssetType | undefined;
};

/** The counters of a group (`shared/entities/compliance-counters.ts`). */
export type Counted = {
  /** The types of its assets, each with how many there are. */
  types: ReadonlyMap<AssetType, number>;
  control: (set: CounterSet) => Counts;
  looked: (set: CounterSet) => Counts;
};

const rowGroup = ({ zone, applicationId }: AssetGroup): string => {
  if (applicationId !== undefined) return applicationGroup(applicationId);
  return zone === undefined ? EVERYTHING : zoneGroup(zone);
};

const ALL_SETS: readonly CounterSet[] = [WEAKNESS_SET, ...BENCHMARKS];

/** Eight counter rows in one round trip, however many findings and assets there are. */
export async function readCounted(table: Table, group: AssetGroup): Promise<Counted> {
  const row = (set: CounterSet) => counterRow(set, rowGroup(group));
  const rows = ALL_SETS.map(row);
  const { dynamo, scope } = table;
  const [control, looked] = await Promise.all([
    readTalliesOf({ dynamo, scope, entity: findings }, 'control', rows),
    readTalliesOf({ dynamo, scope, entity: assets }, 'looked', rows),
  ]);
  const count = looked.get(row(WEAKNESS_SET)) ?? {};
  const wanted = group.assetType === undefined ? AssetType.options : [group.assetType];
  const types = new Map(wanted.map((type) => [type, count[assetName(type)] ?? 0]));
  return {
    types,
    control: (set) => control.get(row(set)) ?? {},
    looked: (set) => looked.get(row(set)) ?? {},
  };
}
