import { afterEach, expect, test } from 'vitest';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { UNDOES, undoUpdate } from '#shared/findings/bulk/undo-update.ts';
import type { Operation } from '#shared/platform/jobs/operations.ts';
import { newTask, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { DAY_MS, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => setClock());

const end = Date.parse('2026-03-10T12:00:00Z');

/** A task that ended so many milliseconds ago. */
async function ended(table: Table, operation: Operation, ago: number, fields: Partial<TaskRow> = {}): Promise<string> {
  setClock(() => end + ago);
  const input = { assetId: newId(), intoId: newId() };
  const task = newTask(table.actor, { operation, job: 'ingest', unit: 'incidents', input });
  const finishedAt = new Date(end).toISOString();
  await table.rows(taskRows).put({ ...task, status: 'succeeded', finishedAt, ...fields });
  return task.id;
}
const tasks = (table: Table, id: string) => table.rows(taskRows).find({ id }, true);

test('a change of many can be undone until a day after its end, once', async () => {
  const { connections, sent } = fakeConnections(store.dynamo);
  const table = newOrganization(store.dynamo);
  const undo = (taskId: string) => undoUpdate({ connections, table }, UNDOES.undoFindingsUpdate, taskId);
  const late = await ended(table, 'update_findings', DAY_MS + 1);
  await expect(undo(late)).rejects.toMatchObject({
    code: 'conflict',
    message: `The change ${late} ended at 2026-03-10T12:00:00.000Z; a change can be undone for a day.`,
  });
  expect(sent).toEqual([]);
  const taskId = await ended(table, 'update_findings', DAY_MS);
  const queued = await undo(taskId);
  expect(await tasks(table, queued.taskId)).toMatchObject({
    operation: 'undo_findings_update',
    status: 'queued',
    input: { undoes: taskId },
    progress: { done: 0, unit: 'incidents' },
  });
  setClock(() => end + 2 * DAY_MS);
  expect(await undo(taskId)).toEqual(queued);
});

test('a change that goes on, another task and none cannot be undone', async () => {
  const { connections, sent } = fakeConnections(store.dynamo);
  const table = newOrganization(store.dynamo);
  const undo = (taskId: string) => undoUpdate({ connections, table }, UNDOES.undoFindingsUpdate, taskId);
  const running = await ended(table, 'update_findings', 0, { status: 'running', finishedAt: undefined });
  await expect(undo(running)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching('under way') });
  await expect(undo(await ended(table, 'merge_assets', 0))).rejects.toMatchObject({ code: 'not_found' });
  await expect(undo(newId())).rejects.toMatchObject({ code: 'not_found' });
  const failed = await ended(table, 'update_findings', 0, { status: 'failed' });
  expect((await undo(failed)).status).toBe('queued');
  expect(sent).toHaveLength(1);
});

test('a merge of assets can be undone until thirty days after its end, and not while it goes on', async () => {
  const { connections, sent } = fakeConnections(store.dynamo);
  const table = newOrganization(store.dynamo);
  const undo = (taskId: string) => queueMergeUndo({ connections, table }, taskId);
  const refused = (message: string) => ({ code: 'conflict', message: expect.stringMatching(message) });
  const late = await ended(table, 'merge_assets', 30 * DAY_MS + 1);
  await expect(undo(late)).rejects.toMatchObject(refused('a merge can be undone for 30 days'));
  const running = await ended(table, 'merge_assets', 0, { status: 'running', finishedAt: undefined });
  await expect(undo(running)).rejects.toMatchObject(refused('is under way'));
  // its assets are not there: it is past the look at its end
  const inTime = await ended(table, 'merge_assets', 30 * DAY_MS);
  await expect(undo(inTime)).rejects.toMatchObject(refused('was merged or deleted meanwhile'));
  await expect(undo(await ended(table, 'update_findings', 0))).rejects.toMatchObject({ code: 'not_found' });
  expect(sent).toEqual([]);
});
