import { afterEach, expect, test, vi } from 'vitest';
import { verifyAudit } from '#functions/workers/maintenance/verify-audit.ts';
import { EMPTY_LOG, sheets, writeSheet } from '#shared/platform/feed/log.ts';
import { newTask, taskRows } from '#shared/platform/jobs/task.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { actor } from '../../../support/actor.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
afterEach(() => vi.restoreAllMocks());

test('a log that is too long for one run of the function is checked to its end, each part once', async () => {
  const table = newOrganization(store.dynamo);
  const { connections, sent } = fakeConnections(store.dynamo);
  let head = EMPTY_LOG;
  for (let n = 0; n < 120; n++) {
    const entry = { id: newId(), at: now(), by: systemActor, cause: { operation: 'test' }, changes: [] };
    head = await writeSheet(table, head, { entries: [entry], at: now() });
  }
  const rows = table.rows(taskRows);
  const task = newTask(actor(), { operation: 'audit_verify', job: 'maintenance', unit: 'changes', input: {} });
  await rows.put(task);
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    time += 40_000;
    return time;
  });
  const run = async () => verifyAudit({ table, connections, task: (await rows.find({ id: task.id }, true)) ?? task });
  const progress = async () => (await rows.find({ id: task.id }, true))?.progress;
  expect(await run()).toBeUndefined();
  expect(await progress()).toEqual({ done: 50, total: 120, unit: 'changes' });
  // a part that was checked is not read again
  await table.rows(sheets).remove({ first: 1 });
  expect(await run()).toBeUndefined();
  expect(await progress()).toEqual({ done: 100, total: 120, unit: 'changes' });
  expect(await run()).toEqual({ changes: 120, hash: head.hash, broken: null });
  expect(await progress()).toEqual({ done: 120, total: 120, unit: 'changes' });
  expect(sent).toHaveLength(2);
});
