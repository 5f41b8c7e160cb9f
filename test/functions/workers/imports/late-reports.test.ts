import { afterAll, afterEach, expect, test } from 'vitest';
import { branches } from '#shared/findings/branches/branch.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import { importedReports } from '#shared/ingest/imported-report.ts';
import { type Submission, scopeOf } from '#shared/ingest/submission.ts';
import { DAY_MS, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf, goToDay } from './days.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

/** Accepts each report on its day, and leaves its message to the test. */
async function accepted(table: Table, submissions: readonly Submission[]) {
  const messages = [];
  for (const [n, submission] of submissions.entries()) {
    goToDay(n);
    await world.accept(table, submission);
    messages.push(...world.messages.splice(0));
  }
  return messages;
}

async function work(messages: typeof world.messages, ...order: number[]): Promise<void> {
  for (const n of order) {
    world.messages.push(...messages.slice(n, n + 1));
    await world.drain();
  }
}

const [full, quick] = [{ scanType: 'full' }, { scanType: 'quick' }];

test('a newer scan of another profile proves nothing about what an older one finds', async () => {
  const table = world.newOrganization();
  const messages = await accepted(table, [codeScan(sarif(problems(1)), full), codeScan(sarif([]), quick)]);
  await work(messages, 1, 0);
  expect(statuses(await allFindings({ connections: world.connections, table }))).toEqual({ 'src/file-0.ts': 'open' });
});

test('a finding is due as of the report that saw it first, although that is worked later, unless a person set a date', async () => {
  const table = world.newOrganization();
  const reports = [0, 1].map(() => codeScan(sarif(problems(2))));
  const messages = await accepted(table, reports);
  await work(messages, 1);
  const [chosen] = (await allFindings({ connections: world.connections, table })).filter(({ location }) =>
    /file-1/.test(location),
  );
  const dueAt = dayOf(100);
  await table.modify(findings, chosen?.id ?? '', () => ({ dueAt, dueChosen: true }));
  await work(messages, 0);
  const due = (await allFindings({ connections: world.connections, table })).map(({ location, dueAt }) => [
    location,
    dueAt,
  ]);
  expect(Object.fromEntries(due)).toEqual({ 'src/file-0.ts:7': dayOf(30), 'src/file-1.ts:7': dueAt });
  await expectSound(table);
});

test('a branch was scanned last by its newest report, whenever an older one is worked', async () => {
  const table = world.newOrganization();
  const messages = await accepted(
    table,
    ['old', 'new'].map((commit) => codeScan(sarif(problems(1)), { commit })),
  );
  await work(messages, 1, 0);
  const { data } = await table.list(branches, { paginateFrom: 0, paginateSize: 5 });
  expect(data.map(({ lastScan }) => [lastScan?.commit, lastScan?.at])).toEqual([['new', dayOf(1)]]);
});

test('a scan was run last when its newest report came, whenever an older one is worked', async () => {
  const table = world.newOrganization();
  const report = codeScan(sarif(problems(1)));
  const messages = await accepted(table, [report, report]);
  const last: unknown[] = [];
  for (const n of [1, 0]) {
    await work(messages, n);
    last.push((await readScope(table, scopeOf(report, 'sarif'))).lastScanAt);
  }
  expect(last).toEqual([dayOf(1), dayOf(1)]);
});

test('a closing that waits for a person is left to him by a report that proves nothing, and decided by one that does', async () => {
  const table = world.newOrganization();
  const heldBy = async (content: string, more: Partial<Submission> = {}) => {
    const { id } = await world.ingest(table, codeScan(content, more));
    return [id, (await readScope(table, scopeOf(codeScan(''), 'sarif'))).heldBy];
  };
  expect((await heldBy(sarif(problems(30))))[1]).toBeUndefined();
  const [first, held] = await heldBy(sarif([]));
  expect(held).toBe(first);
  expect((await heldBy(sarif([]), { closeMissing: false }))[1]).toBe(first);
  const [second, heldThen] = await heldBy(sarif([]));
  expect(heldThen).toBe(second);
  const records = [first, second].map((id) =>
    table.findUnique(importedReports, { field: 'task', value: id ?? '' }, true),
  );
  expect((await Promise.all(records)).map((record) => record?.held)).toEqual([null, { count: 30 }]);
  expect((await heldBy(sarif(problems(30))))[1]).toBeUndefined();
});

test('new words of a report leave the severity and the date that a person set', async () => {
  const table = world.newOrganization();
  const told = (text: string, level: 'error' | 'note') =>
    codeScan(sarif(problems(2).map((one) => ({ ...one, text, level }))));
  await world.ingest(table, told('Old words', 'error'));
  const [chosen] = await allFindings({ connections: world.connections, table });
  const dueAt = dayOf(100);
  const triaged = { severity: 'critical' as const, dueAt, dueChosen: true, tags: ['mine'] };
  await table.modify(findings, chosen?.id ?? '', () => ({ ...triaged, severityOverridden: true as const }));
  await world.ingest(table, told('New words', 'note'));
  const [one, other] = await allFindings({ connections: world.connections, table });
  expect(one).toMatchObject({ id: chosen?.id, title: 'New words', ...triaged });
  expect(other).toMatchObject({ title: 'New words', severity: 'low' });
  expect(other?.dueAt).toBe(new Date(Date.parse(other?.firstSeenAt ?? '') + 180 * DAY_MS).toISOString());
});

/** The reports of one scan, each sent a day after the one before. */
async function scanned(table: Table, contents: readonly string[]) {
  const ids = contents.map(() => newId());
  const messages = await accepted(
    table,
    contents.map((content, n) => {
      const siblings = ids.filter((_, other) => other !== n);
      return codeScan(content, { source: 'scanner', taskId: ids[n], siblings });
    }),
  );
  await work(messages, ...messages.keys());
  return Promise.all(ids.map(async (id) => (await world.task(table, id)).result?.closed));
}

test('a scan whose reports come one after the other does not close what the first of them has', async () => {
  const table = world.newOrganization();
  expect(
    await scanned(
      table,
      [0, 1, 2].map((n) => sarif(problems(1, n))),
    ),
  ).toEqual([0, 0, 0]);
  expect(new Set(Object.values(statuses(await allFindings({ connections: world.connections, table }))))).toEqual(
    new Set(['open']),
  );
});

test('a scan of which one report says that the tool did not finish closes nothing', async () => {
  for (const finished of [
    [false, true],
    [true, false],
  ]) {
    const table = world.newOrganization();
    goToDay(-1);
    await world.ingest(table, codeScan(sarif(problems(3)), { source: 'scanner' }));
    const contents = finished.map((one, n) => sarif(problems(1, n), { finished: one }));
    expect(await scanned(table, contents)).toEqual([0, 0]);
  }
});
