import { afterAll, afterEach, expect, test } from 'vitest';
import { newAssetChangeTask } from '#shared/exposure/asset-actions/asset-change.ts';
import { newRulesTask } from '#shared/exposure/asset-rules/apply.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { queueTask } from '#shared/platform/jobs/outbox.ts';
import { newTaskWrites, type TaskRow, taskRows } from '#shared/platform/jobs/task.ts';
import { now, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { findingDraft } from '../../../support/findings.ts';
import { timersOf } from '../../../support/timers.ts';
import { addFinding, follow, log4j } from '../../../support/vulnerabilities.ts';
import { startWorld } from '../imports/world.ts';

/** Changes and exports of what belongs to an application, sent while rules still decide what belongs to it. */
const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const application = newId();
const ofApplication: Wanted = { selection: { where: { application } } };

/** A task that nobody works before the test ends it. */
async function held(table: Table, { task }: { task: TaskRow }): Promise<string> {
  await table.write(...newTaskWrites(table, task));
  return task.id;
}
const rules = (table: Table) =>
  held(table, newRulesTask(table, { ruleIds: [], conditions: [] }, { type: 'application-rule', id: newId() }));
const assetChange = (table: Table) => held(table, newAssetChangeTask(table, [newId()]));
const end = (table: Table, id: string, status: 'succeeded' | 'failed' = 'succeeded') =>
  table.rows(taskRows).set({ id }, { status, finishedAt: now(), updatedAt: now() });

const queueChange = async (table: Table, wanted: Wanted) => {
  const input = { changes: { addTags: ['seen'] } };
  const context = { connections: world.connections, table };
  return (await queueMany(context, { operation: 'update_findings', wanted, input })).taskId;
};
const queueExport = async (table: Table, input: object) => {
  const request = { operation: 'export_findings', job: 'exports', unit: 'findings' } as const;
  return (await queueTask({ connections: world.connections, table }, { ...request, input: { ...input } })).taskId;
};

async function start() {
  const table = world.newOrganization();
  const { id } = await table.create(findings, findingDraft(now()));
  const belong = () => table.modify(findings, id, () => ({ applicationIds: [application] }));
  return { table, belong };
}
/** Works one message. @returns the task that the work waits for, and its state */
async function worked(table: Table, id: string) {
  expect(await world.deliver()).toBe(true);
  const { status, progress, result, error } = await world.task(table, id);
  return { status, waitsFor: progress.waitsFor?.taskId, changed: result?.changed, error: error?.code };
}

test('a change waits for rules that were changed before it, and for the findings of their assets', async () => {
  const { table, belong } = await start();
  const ahead = await rules(table);
  const id = await queueChange(table, ofApplication);
  expect(await worked(table, id)).toMatchObject({ status: 'running', waitsFor: ahead });
  const following = await assetChange(table);
  await rules(table);
  await end(table, ahead);
  expect(await worked(table, id)).toMatchObject({ status: 'running', waitsFor: following });
  await belong();
  await end(table, following);
  expect(await worked(table, id)).toEqual({ status: 'succeeded', changed: 1 });
  expect((await world.task(table, id)).progress).toEqual({ done: 1, total: 1, unit: 'findings' });
});

test('a decision on vulnerabilities waits until the views show what the rules changed', async () => {
  const table = world.newOrganization();
  const ahead = await rules(table);
  await addFinding(table, { ...log4j(), applicationIds: [application] });
  await end(table, ahead);
  const input = { changes: { assigneeId: 'ann' }, assignee: { id: 'ann', name: 'Ann' } };
  const request = { operation: 'update_vulnerabilities', unit: 'records', wanted: ofApplication, input } as const;
  const { taskId } = await queueMany({ connections: world.connections, table }, request);
  expect(await worked(table, taskId)).toMatchObject({ status: 'running', waitsFor: ahead });
  await follow({ connections: world.connections, table });
  expect(await worked(table, taskId)).toEqual({ status: 'succeeded', changed: 1 });
});

test('an export waits if its filter or a column follows rules', async () => {
  const { table, belong } = await start();
  await belong();
  const ahead = await rules(table);
  const inputs = [
    { format: 'csv', selection: {} },
    { format: 'csv', columns: ['title', 'asset.tags'], selection: {} },
    { format: 'sarif', ...ofApplication },
    { format: 'csv', columns: ['title'], selection: {} },
    { format: 'sarif', selection: {} },
  ];
  const ids = [];
  for (const input of inputs) ids.push(await queueExport(table, input));
  const states = [];
  for (const id of ids) states.push((await worked(table, id)).status);
  expect(states).toEqual(['running', 'running', 'running', 'succeeded', 'succeeded']);
  await end(table, ahead);
  await world.drain();
  for (const id of ids)
    expect(await world.task(table, id)).toMatchObject({ status: 'succeeded', result: { findings: 1 } });
});

test.each([
  ['rules that change later', async (table: Table) => void (await rules(table)), true],
  ['a task of rules that died', async (table: Table) => void (await end(table, await rules(table), 'failed')), false],
])('nothing waits for %s', async (_, make, isLater) => {
  const { table, belong } = await start();
  await belong();
  if (!isLater) await make(table);
  const id = await queueChange(table, ofApplication);
  const sent = nowMs();
  setClock(() => sent + 1_000);
  if (isLater) await make(table);
  expect(await worked(table, id)).toEqual({ status: 'succeeded', changed: 1 });
});

test('a change of findings that a request names by other things does not wait', async () => {
  const { table } = await start();
  await rules(table);
  const id = await queueChange(table, { selection: { where: { tool: 'semgrep' } } });
  expect(await worked(table, id)).toEqual({ status: 'succeeded', changed: 1 });
});

test('a wait leaves its worker after half a minute, and ends after a quarter of an hour with a reason', async () => {
  const { table, belong } = await start();
  await belong();
  const ahead = await rules(table);
  const id = await queueChange(table, ofApplication);
  expect(await worked(table, id)).toMatchObject({ status: 'running', waitsFor: ahead });
  const sent = nowMs();
  setClock(() => sent + 60_000);
  expect(await worked(table, id)).toMatchObject({ status: 'queued', waitsFor: ahead });
  const [timer] = (await timersOf(table)).filter((one) => one.id === id && one.kind === 'send');
  expect(timer).toMatchObject({ at: sent + 90_000 });
  expect(world.messages).toEqual([]);
  setClock(() => sent + 1_000_000);
  await world.connections.queues.send(
    'ingest.fifo',
    { organizationId: table.organizationId, taskId: id },
    {
      group: 'any',
      deduplicationId: newId(),
    },
  );
  expect(await worked(table, id)).toEqual({ status: 'failed', waitsFor: ahead, error: 'conflict' });
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 10 });
  expect(data.map(({ tags }) => tags)).toEqual([[]]);
});
