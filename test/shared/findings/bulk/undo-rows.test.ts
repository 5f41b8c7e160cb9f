import { afterEach, expect, test } from 'vitest';
import {
  assertAsLeft,
  readUndoable,
  type Undoable,
  undoable,
  undoRows,
  undoWrite,
} from '#shared/findings/bulk/undo-rows.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

test('the values that a change replaced are stored, and null means no value', () => {
  const current = { id: 'f', status: 'open', tags: ['a'] } as {
    id: string;
    status: string;
    tags: string[];
    until?: string;
  };
  expect(undoable(current, { status: 'fixed', until: '2026-01-01' })).toEqual({
    id: 'f',
    from: { status: 'open', until: null },
    to: { status: 'fixed', until: '2026-01-01' },
  });
  expect(undoable({ ...current, until: 'x' }, { until: undefined })).toMatchObject({
    from: { until: 'x' },
    to: { until: null },
  });
});

test('a record that was changed since keeps that change, whatever follows from others', () => {
  const current = { status: 'fixed', tags: ['a'], priority: 7 };
  expect(() => assertAsLeft(current, { to: { status: 'fixed', tags: ['a'], until: null } })).not.toThrow();
  expect(() => assertAsLeft(current, { to: { status: 'open', tags: [], priority: 7 } })).toThrow(
    expect.objectContaining({ code: 'conflict', message: 'These fields have changed again: status, tags.' }),
  );
  expect(() => assertAsLeft(current, { to: { until: 'x' } })).toThrow(/until/);
  expect(() => assertAsLeft(current, { to: { priority: 9 } }, ['priority'])).not.toThrow();
  expect(() => assertAsLeft(current, { to: { status: 'open' } }, ['priority'])).toThrow(/status/);
});

test('the changes of a task are read in their order, and a part of them with every row that it touches', async () => {
  const table = newOrganization(store.dynamo);
  const taskId = newId();
  const changed = (from: number, count: number): Undoable[] =>
    Array.from({ length: count }, (_, n) => ({ id: `f${from + n}`, from: {}, to: {} }));
  const batch = table.batch();
  for (const [place, count] of [
    [0, 100],
    [100, 100],
    [200, 50],
  ] as const)
    batch.write(undoWrite(table, { taskId, place, days: 2 }, changed(place, count)));
  await batch.commit();
  const ids = async (range?: { from?: number; to?: number }) =>
    (await readUndoable(table, taskId, range)).map(({ id }) => id);
  const names = (from: number, to: number) => changed(from, to - from).map(({ id }) => id);
  expect(await ids()).toEqual(names(0, 250));
  expect(await ids({ from: 100, to: 150 })).toEqual(names(0, 200));
  expect(await ids({ from: 199, to: 199 })).toEqual(names(100, 200));
  expect(await ids({ from: 200, to: 250 })).toEqual(names(100, 250));
  expect(await ids({ from: 201 })).toEqual(names(200, 250));
  expect(await ids({ to: 99 })).toEqual(names(0, 100));
  expect(await readUndoable(table, newId())).toEqual([]);
});

test('what can be undone is kept for the days that were asked for', async () => {
  const table = newOrganization(store.dynamo);
  setClock(() => Date.parse('2026-03-10T12:00:00Z'));
  const taskId = newId();
  const batch = table.batch();
  batch.write(undoWrite(table, { taskId, place: 0, days: 2 }, []));
  await batch.commit();
  expect(await table.rows(undoRows).query(taskId)).toMatchObject([{ expiresAt: '2026-03-12T12:00:00.000Z' }]);
});
