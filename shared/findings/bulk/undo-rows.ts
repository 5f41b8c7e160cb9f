import { isDeepStrictEqual } from 'node:util';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The stored values of a record that a task changed; null where a field is absent. */
export type Undoable = {
  id: string;
  from: Record<string, unknown>;
  to: Record<string, unknown>;
  /** The finding that was merged into this one. */
  removed?: string;
};

type UndoRow = {
  taskId: string;
  /** The number of findings that the task changed before these. */
  place: number;
  /** `Undoable[]` as JSON, deflated. */
  z: Uint8Array;
  expiresAt: string;
};

/** A day for the request that undoes, and one for its task. */
export const UNDO_KEPT_DAYS = 2;

type UndoPlace = Pick<UndoRow, 'taskId' | 'place'> & { days: number };

const sortKey = (place: number): string => String(place).padStart(10, '0');

export const undoRows = defineRow<UndoRow, Pick<UndoRow, 'taskId' | 'place'>>({
  name: 'finding-undo',
  about: 'what one transaction of a task changed in many findings, so that it can be undone',
  key: ({ taskId, place }) => [taskId, sortKey(place)],
  expiresAt: ({ expiresAt }) => expiresAt,
});

export function undoWrite({ tenant }: Table, { days, ...at }: UndoPlace, changed: readonly Undoable[]): Write {
  const z = deflateRawSync(JSON.stringify(changed));
  return putWrite(tenant, undoRows, { row: { ...at, z, expiresAt: inSeconds(days * 86_400) } });
}

export function undoable<T extends { id: string }>(current: T, changes: Partial<T>): Undoable {
  const names = Object.keys(changes);
  const values = (of: object) => Object.fromEntries(names.map((name) => [name, Reflect.get(of, name) ?? null]));
  return { id: current.id, from: values(current), to: values(changes) };
}

/** @param follow fields that follow from others, which nobody decides @throws conflict for a record that was changed since */
export function assertAsLeft(current: object, { to }: Pick<Undoable, 'to'>, follow: readonly string[] = []): void {
  const others = Object.keys(to).filter(
    (name) => !follow.includes(name) && !isDeepStrictEqual(Reflect.get(current, name) ?? null, to[name] ?? null),
  );
  if (others.length > 0) throw conflict(`These fields have changed again: ${others.join(', ')}.`);
}

/** A transaction changes at most so many findings. */
const MAX_IN_TRANSACTION = 100;

/** The changes of a task in its order: from the `from`-th on, and before the `to`-th. */
export async function readUndoable(
  table: Table,
  taskId: string,
  { from = 0, to = 10 ** 10 - 1 } = {},
): Promise<Undoable[]> {
  const between = { from: sortKey(Math.max(0, from - MAX_IN_TRANSACTION)), to: sortKey(to) };
  const rows = await table.rows(undoRows).query(taskId, { between, consistent: true });
  return rows.flatMap(({ z }) => JSON.parse(inflateRawSync(z).toString()) as Undoable[]);
}
