import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { RowKind } from '#shared/platform/table/io/row.ts';
import { ordinalText } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Presences per partition: each may be written once a second and read a thousand times. */
const PARTITION = 500;
const partitionOf = (ordinal: number): string => String(Math.floor(ordinal / PARTITION));

/** A machine, or only its ordinal: a list knows no more before it has read its records. */
export type MachineKey = { machineId: string } | { ordinal: number };

/** Presences are in the order of their machines, so that the presences of a page of a list are one range. */
export function presenceKey(machine: MachineKey): [partition: string, sort: string] {
  const ordinal = 'ordinal' in machine ? machine.ordinal : ordinalOf(machine.machineId);
  return [partitionOf(ordinal), ordinalText(ordinal)];
}

/** Machines with a larger gap between them are read one by one, for half a unit each. */
const MAX_GAP = 8;

/**
 * The presences of the machines at these ordinals. Neighbours (a page of a list) are read as one range, paid by the
 * byte.
 */
export async function readPresences<P extends object>(
  kind: RowKind<P, { ordinal: number }>,
  table: Table,
  ordinals: readonly number[],
): Promise<P[]> {
  const rows = table.rows(kind);
  const partitions = Map.groupBy(ordinals, partitionOf);
  const isDense = (part: number[]) => Math.max(...part) - Math.min(...part) < part.length * MAX_GAP;
  if (![...partitions.values()].every(isDense)) return rows.findMany(ordinals.map((ordinal) => ({ ordinal })));
  const found = await Promise.all(
    [...partitions].map(([partition, part]) => {
      const between = { from: ordinalText(Math.min(...part)), to: ordinalText(Math.max(...part)) };
      return rows.query(partition, { between });
    }),
  );
  return found.flat();
}
