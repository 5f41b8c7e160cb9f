import { afterAll, expect, test } from 'vitest';
import { frozenFacts } from '#functions/workers/reports/freeze.ts';
import { failReport, makeReport } from '#functions/workers/reports/make.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newReport } from '#shared/reporting/new-report.ts';
import { ReportSettings, reportFolder, reports } from '#shared/reporting/report.ts';
import { findingDraft } from '../../../support/findings.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
const { connections } = world;

const add = (table: Table, title: string) => table.create(findings, findingDraft(now(), { title, severity: 'high' }));

async function queued(table: Table) {
  const context = { connections, table };
  const { resource } = await newReport(context, ReportSettings.parse({ kind: 'technical' }));
  const folder = reportFolder(table.organizationId, resource?.id ?? '');
  return { context, folder, report: await table.get(reports, resource?.id ?? '', true) };
}

test('an attempt after a crash writes the rows of the first moment, and leaves nothing but the files', async () => {
  const table = world.newOrganization();
  for (const title of ['first', 'line\u2028two, "three"', '=formula']) await add(table, title);
  const { context, folder, report } = await queued(table);
  // a worker that dies when it has kept the facts
  const facts = await frozenFacts(context, report);
  await add(table, 'later');
  await makeReport({ ...context, task: await world.task(table, report.taskId) });
  const made = await table.get(reports, report.id, true);
  expect(made).toMatchObject({ status: 'made', asOf: facts.asOf });
  const csv = Buffer.from((await connections.bucket.get(`${folder}tables/findings.csv`)) ?? []).toString('utf8');
  expect(csv).not.toContain('later');
  for (const text of ['first', 'line\u2028two, ""three""', "'=formula"]) expect(csv).toContain(text);
  const names = (await keysPage(connections.bucket, { prefix: folder })).map((key) => key.slice(folder.length));
  expect(names.filter((name) => name.startsWith('rows/'))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['facts.json', 'report.pdf', 'report.xlsx', 'tables/findings.csv']));
});

test('a report that its worker gave up says why; one that is made stays made', async () => {
  const table = world.newOrganization();
  const { context, report } = await queued(table);
  const task = await world.task(table, report.taskId);
  const error = { code: 'dead_lettered', message: 'The report failed.' };
  await failReport({ ...context, task }, error);
  expect(await table.get(reports, report.id, true)).toMatchObject({ status: 'failed', error });
  // an attempt that comes again makes it, and a late message of the dead letters changes nothing
  await makeReport({ ...context, task });
  await failReport({ ...context, task }, error);
  expect(await table.get(reports, report.id, true)).toMatchObject({ status: 'made', error: null });
});

test('attempts at the same time keep the rows of their own facts', async () => {
  const table = world.newOrganization();
  await add(table, 'first');
  const { context, folder, report } = await queued(table);
  const earlier = await frozenFacts(context, report);
  const { bucket } = connections;
  const kept = (await bucket.get(`${folder}facts.json`)) ?? new Uint8Array();
  await bucket.remove([`${folder}facts.json`]);
  await add(table, 'later');
  expect((await frozenFacts(context, report)).asOf).not.toBe(earlier.asOf);
  // the slower attempt keeps its facts last
  await bucket.put(`${folder}facts.json`, kept);
  await makeReport({ ...context, task: await world.task(table, report.taskId) });
  expect(Buffer.from((await bucket.get(`${folder}tables/findings.csv`)) ?? []).toString('utf8')).not.toContain('later');
});

/** Dies after the write with this number: of the bucket, or of the record. */
function mortal(context: Context, dies: number): Context {
  let writes = 0;
  const dying =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const answer = await write(...args);
      if (++writes === dies) throw new Error('killed');
      return answer;
    };
  const { bucket } = connections;
  const writing = { ...bucket, put: dying(bucket.put), remove: dying(bucket.remove) };
  const table = Object.assign(Object.create(context.table), {
    update: dying(context.table.update.bind(context.table)),
  });
  return { connections: { ...connections, bucket: writing }, table };
}

test('a worker that is killed after any of its writes makes the report once, of one moment', async () => {
  let [kills, isKilled] = [0, true];
  while (isKilled) {
    const table = world.newOrganization();
    await add(table, 'first');
    const { context, folder, report } = await queued(table);
    const task = await world.task(table, report.taskId);
    isKilled = await makeReport({ ...mortal(context, ++kills), task }).then(
      () => false,
      () => true,
    );
    const kept = await connections.bucket.get(`${folder}facts.json`);
    if (kept) await add(table, 'later');
    expect(await makeReport({ ...context, task })).toEqual({ reportId: report.id, kept: true });
    expect(await table.get(reports, report.id, true)).toMatchObject({ status: 'made', error: null });
    const csv = String(Buffer.from((await connections.bucket.get(`${folder}tables/findings.csv`)) ?? []));
    expect([csv.includes('first'), csv.includes('later')]).toEqual([true, false]);
    const names = (await keysPage(connections.bucket, { prefix: folder })).map((key) => key.slice(folder.length));
    expect(names.filter((name) => name.startsWith('rows/'))).toEqual([]);
    expect(names.filter((name) => name.startsWith('report.')).sort()).toEqual(
      ['html', 'json', 'pdf', 'xlsx'].map((format) => `report.${format}`),
    );
  }
  expect(kills).toBeGreaterThan(10);
});
