import { afterAll, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import type { Submission } from '#shared/ingest/submission.ts';
import { jobs } from '#shared/platform/jobs/jobs.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, timers } from '#shared/platform/timers/timers.ts';
import { actor } from '../../../support/actor.ts';
import { expectExact } from '../../../support/verify.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';
import { redriven, startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const recordOf = (table: Table, taskId: string) =>
  table.findUnique(importedReports, { field: 'task', value: taskId }, true);

/** Whether the sweeper will look at the scan of a scanner's task. */
async function isLookedAt(id: string): Promise<boolean> {
  const { shard } = placedTimer({ kind: 'scan-end', at: 0, organizationId: '', id });
  const rows = await openTable(world.connections.dynamo, GLOBAL_SCOPE).rows(timers).query(String(shard));
  return rows.some((timer) => timer.kind === 'scan-end' && timer.id === id);
}

const none = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

test('the record of an import says all that was known of its scan', async () => {
  const table = world.newOrganization();
  const about = { ref: 'main', commit: 'abc', scanType: 'sast', zone: 'office' };
  const of = { engagementId: newId(), scannerTaskId: newId(), runId: newId() };
  const report = sarif(problems(2)).replace('"results":[', '"results":[{"message":{}},');
  const { id, createdAt } = await world.ingest(table, codeScan(report, { ...about, ...of }));
  expect(await recordOf(table, id)).toMatchObject({
    ...about,
    ...of,
    taskId: id,
    receivedAt: createdAt,
    status: 'succeeded',
    source: 'import',
    format: 'sarif',
    target: repository('api'),
    tools: ['acme-scan'],
    counts: { created: 2, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: 1 },
    bySeverity: { created: { ...none, high: 2 }, closed: none, reopened: none },
    held: null,
    error: null,
    undone: null,
  });
});

test('the record of an import that says nothing of its scan names none', async () => {
  const table = world.newOrganization();
  const { id } = await world.ingest(table, { source: 'import', format: 'sarif', report: { content: sarif([]) } });
  expect(await recordOf(table, id)).toMatchObject({
    target: null,
    zone: null,
    ref: null,
    commit: null,
    scanType: null,
    engagementId: null,
    scannerTaskId: null,
    runId: null,
    counts: { created: 0, rejected: 0 },
  });
});

test('the record of an import names who sent it', async () => {
  const ann = actor('ann');
  const table = openTable(world.connections.dynamo, newId(), ann);
  const { id } = await world.ingest(table, codeScan(sarif([])));
  expect(await recordOf(table, id)).toMatchObject({ createdBy: ann });
});

test('a closing that was held back is confirmed, and told by the record of its import where there is one', async () => {
  const told: unknown[] = [];
  for (const isKept of [true, false]) {
    const table = world.newOrganization();
    await world.ingest(table, codeScan(sarif(problems(30))));
    const { id } = await world.ingest(table, codeScan(sarif([])));
    const record = await recordOf(table, id);
    expect(record).toMatchObject({ held: { count: 30 }, counts: { closed: 0 } });
    if (record && !isKept) await table.delete(importedReports, record); // of a release without records
    const { taskId } = await confirmHeld({ connections: world.connections, table }, id);
    await world.drain();
    expect((await world.task(table, taskId)).result).toMatchObject({ closed: 30 });
    told.push(await recordOf(table, id));
  }
  const closed = { ...none, high: 30 };
  expect(told).toEqual([
    expect.objectContaining({
      held: null,
      counts: expect.objectContaining({ created: 0, closed: 30 }),
      bySeverity: expect.objectContaining({ closed }),
    }),
    undefined,
  ]);
});

test('a report of many tools is found by the first ten, each once', async () => {
  const table = world.newOrganization();
  const names = Array.from({ length: 12 }, (_, n) => `tool-${n}`);
  const runs = [names[0], ...names].flatMap((tool) => JSON.parse(sarif([], { tool })).runs);
  const { id } = await world.ingest(table, codeScan(JSON.stringify({ version: '2.1.0', runs })));
  expect(await recordOf(table, id)).toMatchObject({ tools: names.slice(0, 10) });
});

test.each<[string, Partial<Submission>, boolean]>([
  ['a scan of a branch that no engagement ordered is seen to its end', {}, true],
  ['the end of a scan of an engagement is left to the engagement', { engagementId: newId() }, false],
])('%s', async (_name, more, expected) => {
  const scannerTaskId = newId();
  await world.ingest(world.newOrganization(), codeScan(sarif(problems(1)), { ...more, scannerTaskId }));
  expect(await isLookedAt(scannerTaskId)).toBe(expected);
});

test('an import that failed for good has one record, also when it succeeds in the end', async () => {
  const table = world.newOrganization();
  const id = await world.accept(table, codeScan(sarif(problems(2)), { scanType: 'sast' }));
  const [message] = world.messages;
  if (!message) throw new Error('no message');
  const { bucket } = world.connections;
  const { stream } = bucket;
  bucket.stream = async () => Promise.reject(new Error('the report cannot be read'));
  while (message.received < jobs.ingest.attempts) await world.deliver();
  bucket.stream = stream;
  expect(await recordOf(table, id)).toMatchObject({
    status: 'failed',
    scanType: 'sast',
    error: { code: 'dead_lettered' },
    counts: { created: 0, updated: 0, unchanged: 0, closed: 0, reopened: 0, rejected: 0 },
  });
  Object.assign(message, redriven()); // redriven
  await world.drain();
  expect(await recordOf(table, id)).toMatchObject({ status: 'succeeded', error: null, counts: { created: 2 } });
  expect(await table.list(importedReports, { paginateFrom: 0, paginateSize: 5 })).toMatchObject({ totalCount: 1 });
  await expectExact(table, [importedReports]);
});
