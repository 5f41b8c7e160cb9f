import { afterAll, afterEach, expect, test } from 'vitest';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { undoRows } from '#shared/findings/bulk/undo-rows.ts';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { now, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const unknown = (count: number) => Array.from({ length: count }, () => newId());
async function change(table: Table, wanted: Wanted) {
  const input = { changes: { tags: ['x'] }, approver: { id: 'ann', name: 'Ann' } };
  const { taskId } = await queueMany(
    { connections: world.connections, table },
    { operation: 'update_findings', wanted, input },
  );
  await world.drain();
  const { result = {}, progress } = await world.task(table, taskId);
  return { taskId, ...(result as { results?: unknown[]; refused: unknown[] }), progress };
}

test('the result has the outcome of each of a thousand ids, at any place in the request', async () => {
  const table = world.newOrganization();
  const made = await table.create(findings, findingDraft(now()));
  const same = await table.create(findings, findingDraft(now(), { tags: ['x'] }));
  const ids = [...unknown(600), made.id, ...unknown(398), same.id];
  const { taskId: _taskId, results, refused, progress, ...counts } = await change(table, { ids });
  expect(counts).toEqual({ matched: 1000, changed: 1, unchanged: 1, refusedCount: 998 });
  expect(progress).toEqual({ done: 1000, total: 1000, unit: 'findings' });
  expect(refused).toHaveLength(50);
  const outcomes = new Map([
    [made.id, 'changed'],
    [same.id, 'unchanged'],
  ]);
  expect(results).toEqual(ids.map((id) => ({ id, outcome: outcomes.get(id) ?? 'refused' })));
  expect(await table.get(findings, made.id, true)).toMatchObject({ tags: ['x'], version: 2 });
});

test('of more ids, and of those that a filter finds, the result has the numbers alone', async () => {
  const table = world.newOrganization();
  await table.create(findings, findingDraft(now()));
  const many = await change(table, { ids: unknown(1001) });
  expect(many).toMatchObject({ matched: 1001, refusedCount: 1001 });
  expect(many).not.toHaveProperty('results');
  const filtered = await change(table, { selection: {} });
  expect(filtered).toMatchObject({ matched: 1, changed: 1, unchanged: 0, refused: [], refusedCount: 0 });
  expect(filtered).not.toHaveProperty('results');
  const none = await change(table, { ids: [] });
  expect(none).toMatchObject({ matched: 0, changed: 0, progress: { done: 0, total: 0 } });
});

test('what a task changed is kept for the day in which it can be undone, and one for the undoing', async () => {
  const start = Date.now();
  setClock(() => start);
  const table = world.newOrganization();
  const { id } = await table.create(findings, findingDraft(now()));
  const { taskId } = await change(table, { ids: [id] });
  const rows = await table.rows(undoRows).query(taskId, { consistent: true });
  expect(rows).toMatchObject([{ place: 0, expiresAt: new Date(start + 2 * 86_400_000).toISOString() }]);
});
