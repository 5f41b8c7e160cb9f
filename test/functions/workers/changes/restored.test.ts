import { afterAll, afterEach, expect, test } from 'vitest';
import { queueMaintenance } from '#functions/people/organizations/queue.ts';
import { groupOf } from '#shared/findings/bulk/queue.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { allSeen } from '#shared/findings/view/scan-state.ts';
import { readScopeState } from '#shared/findings/view/scope-state.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { scopeOf, taskFiles } from '#shared/ingest/submission.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { laneOf } from '#shared/platform/jobs/send.ts';
import { newTask, newTaskWrites } from '#shared/platform/jobs/task.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf, goToDay } from '../imports/days.ts';
import { allFindings, expectSound, statuses } from '../imports/expectations.ts';
import { codeScan, problems, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const both = codeScan(sarif(problems(2)));
const one = codeScan(sarif(problems(1)));
const clean = codeScan(sarif([]), { ref: 'next' });
const seen = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));

/** The table was restored to a moment whose states have left the bucket since. */
async function loseStates(table: Table, scans: readonly (typeof both)[] = [both, clean]): Promise<void> {
  for (const scan of scans) {
    const { stateKey = '' } = await readScope(table, scopeOf(scan, 'sarif'));
    await world.connections.bucket.remove([stateKey]);
  }
}

const queueSettling = async (table: Table): Promise<string> =>
  (await queueMaintenance({ connections: world.connections, table }, { work: 'restored', repair: false })).taskId;

async function settle(table: Table) {
  const taskId = await queueSettling(table);
  await world.drain();
  return world.task(table, taskId);
}

/** The list of the scopes whose state is missing, as long as the work goes on. */
const missingOf = ({ organizationId }: Table, taskId: string) => `${taskFolder(organizationId, taskId)}/missing.json`;

test('a report whose scope has lost its state is refused with the reason, and closes again once the state is made again', async () => {
  const table = world.newOrganization();
  await world.ingest(table, both);
  await world.ingest(table, clean);
  await loseStates(table);
  for (const scan of [one, clean]) {
    const refused = await world.ingest(table, scan);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'scan_state_missing' } });
    const told = await table.findUnique(importedReports, { field: 'task', value: refused.id }, true);
    expect(told).toMatchObject({ status: 'failed', error: { code: 'scan_state_missing' } });
  }
  const settled = await settle(table);
  expect(settled).toMatchObject({ status: 'succeeded', result: { made: 2, requeued: 0 } });
  // the four imports, then the two findings to look for scopes and again to make their states, and the tasks with this one
  expect(settled.progress?.done).toBe(4 + 2 + 2 + 5);
  expect(await world.connections.bucket.size(missingOf(table, settled.id))).toBeUndefined();
  const scan = await world.ingest(table, one);
  expect(scan).toMatchObject({ status: 'succeeded', result: { unchanged: 1, closed: 1 } });
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'open', 'src/file-1.ts': 'fixed' });
  expect(await world.ingest(table, clean)).toMatchObject({ status: 'succeeded' });
  expect(await settle(table)).toMatchObject({ result: { made: 0, requeued: 0 } });
  await expectSound(table);
});

test('a report whose message is lost goes on, and one whose files are gone fails and leaves its scope to the next', async () => {
  const table = world.newOrganization();
  const [gone, kept] = [await world.accept(table, both), await world.accept(table, both)];
  world.messages.length = 0;
  await world.connections.bucket.remove([taskFiles(table.organizationId, gone).submission]);
  expect(await settle(table)).toMatchObject({ status: 'succeeded', result: { requeued: 2 } });
  expect(await world.task(table, gone)).toMatchObject({ status: 'failed', error: { code: 'report_missing' } });
  expect(await world.task(table, kept)).toMatchObject({ status: 'succeeded', result: { created: 2 } });
  expect(await readScope(table, scopeOf(both, 'sarif'))).not.toHaveProperty('holder');
  await expectSound(table);
});

test('a state that is made again has the last sighting of each finding that no scan has closed, and others stay', async () => {
  const table = world.newOrganization();
  const quick = codeScan(sarif(problems(1, 50)), { scanType: 'quick' });
  for (const [day, scan] of [quick, codeScan(sarif(problems(4))), codeScan(sarif(problems(4)))].entries()) {
    goToDay(day);
    await world.ingest(table, scan);
  }
  const byFile = Object.fromEntries(
    (await allFindings({ connections: world.connections, table })).map(({ id, location }) => [
      location.slice(9, 10),
      id,
    ]),
  );
  goToDay(3);
  await table.modify(findings, byFile['2'] ?? '', (it) => moveStatus(it, { to: 'fixed', at: dayOf(3) }));
  await world.ingest(table, codeScan(sarif(problems(1))));
  goToDay(4);
  for (const name of ['1', '2'])
    await table.modify(findings, byFile[name] ?? '', (it) => moveStatus(it, { to: 'open', at: dayOf(4) }));
  await loseStates(table, [both]);
  const other = await readScope(table, scopeOf(quick, 'sarif'));
  expect((await settle(table)).result).toMatchObject({ made: 1 });
  const made = allSeen(await readScopeState(world.connections.bucket, table, scopeOf(both, 'sarif')));
  const told = [...made].map(({ id, seenAt, occurrences }) => [
    id,
    { seenAt: new Date(seenAt).toISOString(), occurrences },
  ]);
  // the file 3 is closed; of what a scan closed and people opened again, the finding itself says when it was seen last
  expect(Object.fromEntries(told)).toEqual({
    [byFile['0'] ?? '']: { seenAt: dayOf(3), occurrences: 3 },
    [byFile['1'] ?? '']: { seenAt: dayOf(2), occurrences: 2 },
    [byFile['2'] ?? '']: { seenAt: dayOf(2), occurrences: 2 },
  });
  expect(await readScope(table, scopeOf(quick, 'sarif'))).toEqual(other);
});

test('a scan whose first report could not be read has no state to miss', async () => {
  const table = world.newOrganization();
  expect(await world.ingest(table, codeScan('{'))).toMatchObject({ status: 'failed' });
  expect(await settle(table)).toMatchObject({ status: 'succeeded', result: { made: 0 } });
});

test('the work lets other tasks go first, and a state that came back meanwhile stays', async () => {
  const table = world.newOrganization();
  for (const scan of [both, clean]) await world.ingest(table, scan);
  const { bucket } = world.connections;
  const before = await readScope(table, scopeOf(both, 'sarif'));
  const state = await bucket.get(before.stateKey ?? '');
  await loseStates(table);
  let time = Date.now();
  setClock(() => {
    time += 900;
    return time;
  });
  const taskId = await queueSettling(table);
  while ((await bucket.size(missingOf(table, taskId))) === undefined) expect(await world.deliver()).toBe(true);
  expect(await world.task(table, taskId)).toMatchObject({ status: 'running' });
  await bucket.put(before.stateKey ?? '', state ?? Buffer.alloc(0));
  await world.drain();
  expect(await world.task(table, taskId)).toMatchObject({
    status: 'succeeded',
    result: { made: 1, requeued: 0 },
    progress: { done: 2 + 2 + 2 + 3 },
  });
  expect(await readScope(table, scopeOf(both, 'sarif'))).toMatchObject({ stateKey: before.stateKey });
  expect((await world.ingest(table, one)).result).toMatchObject({ closed: 1 });
});

test('every task whose message is lost gets one, in the queue of its kind, and none whose message came since', async () => {
  const table = world.newOrganization();
  const request = { operation: 'rescore_findings', job: 'ingest', unit: 'findings', input: { since: '' } } as const;
  const lost = Array.from({ length: 201 }, () => newTask(systemActor, request));
  for (const some of chunksOf(lost, 20)) {
    const batch = table.batch();
    batch.write(...some.flatMap((task) => newTaskWrites(table, task)));
    await batch.commit();
  }
  const { taskId } = await queueMaintenance(
    { connections: world.connections, table },
    { work: 'verify', repair: false },
  );
  world.messages.length = 0;
  const settling = await queueSettling(table);
  const later = await world.accept(table, one);
  expect(await world.deliver()).toBe(true);
  expect((await world.task(table, settling)).result).toMatchObject({ requeued: 202 });
  const sent = new Map(world.messages.map(({ body, group }) => [JSON.parse(body).taskId, group]));
  const { organizationId } = table;
  const groups = new Map(lost.map(({ id }) => [id, laneOf(jobs.ingest, organizationId, { group: groupOf(table) })]));
  groups.set(taskId, laneOf(jobs.maintenance, organizationId, { group: organizationId }));
  expect(sent).toEqual(groups.set(later, sent.get(later) ?? ''));
  expect(world.messages).toHaveLength(203);
  world.messages.length = 0;
});
