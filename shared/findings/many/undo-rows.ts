import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { StoredFinding } from '../../entities/finding.ts';
import { inSeconds } from '../../runtime/clock.ts';
import type { Write } from '../../table/io/commit.ts';
import { defineRow, putWrite } from '../../table/io/row.ts';
import type { Table } from '../../table/table.ts';
import type { FindingRow } from '../view.ts';

/** The stored values of a finding that a task changed; null where a field is absent. */
export type Undoable = { id: string; from: Record<string, unknown>; to: Record<string, unknown> };

type UndoRow = {
  taskId: string;
  /** How many findings the task had changed before these. */
  place: number;
  /** `Undoable[]` as JSON, deflated. */
  z: Uint8Array;
  expiresAt: string;
};

/** A change may be undone for a day, and undoing takes its time. */
const KEPT_SECONDS = 2 * 86_400;

const sortKey = (place: number): string => String(place).padStart(10, '0');

export const undoRows = defineRow<UndoRow, Pick<UndoRow, 'taskId' | 'place'>>({
  name: 'finding-undo',
  about: 'what one transaction of a task changed in many findings, so that it can be undone',
  key: ({ taskId, place }) => [taskId, sortKey(place)],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export function undoWrite(
  { scope }: Table,
  at: Pick<UndoRow, 'taskId' | 'place'>,
  changed: readonly Undoable[],
): Write {
  const z = deflateRawSync(JSON.stringify(changed));
  return putWrite(scope, undoRows, { row: { ...at, z, expiresAt: inSeconds(KEPT_SECONDS) } });
}

export function undoable(standing: FindingRow, changes: Partial<StoredFinding>): Undoable {
  const names = Object.keys(changes);
  const values = (of: object) => Object.fromEntries(names.map((name) => [name, Reflect.get(of, name) ?? null]));
  return { id: standing.id, from: values(standing), to: values(changes) };
}

/** A transaction changes at most so many findings. */
const MOST = 100;

/** The changes of a task in its order: from the `from`-th on, and before the `to`-th. */
export async function readUndoable(
  table: Table,
  taskId: string,
  { from = 0, to = 10 ** 10 - 1 } = {},
): Promise<Undoable[]> {
  const between = { from: sortKey(Math.max(0, from - MOST)), to: sortKey(to) };
  const rows = await table.rows(undoRows).query(taskId, { between, consistent: true });
  return rows.flatMap(({ z }) => JSON.parse(inflateRawSync(z).toString()) as Undoable[]);
}
