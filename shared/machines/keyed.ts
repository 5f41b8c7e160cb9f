import { ordinalOf } from '../ids.ts';
import { ordinalText } from '../table/keys.ts';
import type { RowKind } from '../table/row.ts';
import type { Table } from '../table/table.ts';
import type { MachinePresence } from './presence.ts';

export type KeyedPresence = MachinePresence & {
  machineId: string;
  /** What was copied from the record is older than it: the machine's next call copies it again. */
  stale: boolean;
};

/** Presences per partition: each may be written once a second and read a thousand times. */
const PARTITION = 500;
const partitionOf = (ordinal: number): string => String(Math.floor(ordinal / PARTITION));

/** Presences lie in the order of their machines, so that those of a page of a list are read as one. */
export function presenceKey({ machineId }: { machineId: string }): [partition: string, sort: string] {
  const ordinal = ordinalOf(machineId);
  return [partitionOf(ordinal), ordinalText(ordinal)];
}

/** Machines that have so many others between them are read one by one, for half a unit each. */
const MAX_GAP = 8;

/** The presences of these machines; those of neighbours (a page of a list) cost what their bytes cost. */
export async function readPresences<P extends KeyedPresence>(
  kind: RowKind<P, { machineId: string }>,
  table: Table,
  machineIds: readonly string[],
): Promise<P[]> {
  const rows = table.rows(kind);
  const partitions = Map.groupBy(machineIds.map(ordinalOf), partitionOf);
  const isDense = (ordinals: number[]) => Math.max(...ordinals) - Math.min(...ordinals) < ordinals.length * MAX_GAP;
  if (![...partitions.values()].every(isDense)) return rows.findMany(machineIds.map((machineId) => ({ machineId })));
  const found = await Promise.all(
    [...partitions].map(([partition, ordinals]) => {
      const between = { from: ordinalText(Math.min(...ordinals)), to: ordinalText(Math.max(...ordinals)) };
      return rows.query(partition, { between });
    }),
  );
  return found.flat();
}
