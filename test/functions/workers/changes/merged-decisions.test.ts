import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { findings, type StoredFinding } from '#shared/findings/finding/finding.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { dayOf, goToDay } from '../imports/days.ts';
import { allFindings, expectSound } from '../imports/expectations.ts';
import { codeScan, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const all = { paginateFrom: 0, paginateSize: 100 };

async function scanOn(table: Table, day: number, name: string): Promise<void> {
  goToDay(day);
  await world.ingest(table, codeScan(sarif(problems(4)), { target: repository(name) }));
}

async function idOf(table: Table, name: string): Promise<string> {
  const { data } = await table.list(assets, all);
  return data.find(({ value }) => value.endsWith(name))?.id ?? '';
}

/** Changes the finding of a file on an asset, as people do. */
async function triage(table: Table, name: string, file: number, changes: Partial<StoredFinding>): Promise<void> {
  const { data } = await table.list(findings, { ...all, where: { asset: await idOf(table, name) } });
  const found = data.find(({ location }) => location.includes(`file-${file}.`));
  await table.modify(findings, found?.id ?? '', () => changes);
}

async function mergeTwoIntoOne(table: Table): Promise<Awaited<ReturnType<typeof allFindings>>> {
  const merge = { assetId: await idOf(table, 'two'), intoId: await idOf(table, 'one') };
  await queueMerge({ connections: world.connections, table }, merge);
  await world.drain();
  await expectSound(table);
  return (await allFindings({ connections: world.connections, table })).sort((a, b) =>
    a.location < b.location ? -1 : 1,
  );
}

test('two findings that become one keep what a person set on either: the date, the severity, the assignee', async () => {
  const table = world.newOrganization();
  await scanOn(table, 0, 'one');
  await scanOn(table, 1, 'two');
  const kim = { id: 'kim', name: 'Kim' };
  const ann = { id: 'ann', name: 'Ann' };
  const chosen = (day: number) => ({ dueAt: dayOf(day), dueChosen: true });
  const rated = (severity: 'critical' | 'low') => ({ severity, severityOverridden: true as const });
  await triage(table, 'two', 0, { ...chosen(100), ...rated('critical'), assignee: kim, reopenedCount: 2 });
  await triage(table, 'one', 1, { ...chosen(200), ...rated('low'), assignee: ann, reopenedCount: 3 });
  await triage(table, 'two', 1, { ...chosen(100), ...rated('critical'), assignee: kim, reopenedCount: 2 });
  await triage(table, 'one', 2, { ...chosen(200), ...rated('low'), assignee: ann });
  const [first, second, third, fourth] = await mergeTwoIntoOne(table);
  expect([first, second, third, fourth].map((one) => one?.dueChosen)).toEqual([true, true, true, false]);
  expect(first).toMatchObject({ dueAt: dayOf(100), severity: 'critical', assignee: kim, reopenedCount: 2 });
  expect(second).toMatchObject({ dueAt: dayOf(200), severity: 'low', assignee: ann, reopenedCount: 3 });
  expect(third).toMatchObject({ dueAt: dayOf(200), severity: 'low', assignee: ann });
  expect(fourth).toMatchObject({ dueAt: dayOf(30), severity: 'high', firstSeenAt: dayOf(0) });
});

test.each([
  ['the one', ['one', 'two', 'one']],
  ['the other', ['one', 'two', 'two']],
])('a merged finding was seen last when %s was, whichever decision holds', async (_name, order) => {
  const table = world.newOrganization();
  for (const [day, name] of order.entries()) await scanOn(table, day, name);
  await triage(table, 'two', 1, { status: 'false_positive', statusReason: 'a test file', decidedAt: dayOf(2) });
  await triage(table, 'one', 2, { status: 'false_positive', statusReason: 'a test file', decidedAt: dayOf(2) });
  const after = await mergeTwoIntoOne(table);
  const seen = [3, dayOf(2), dayOf(0)];
  expect(after.map((one) => [one.occurrences, one.lastSeenAt, one.firstSeenAt])).toEqual(Array(4).fill(seen));
  expect(after.map(({ status }) => status)).toEqual(['open', 'false_positive', 'false_positive', 'open']);
});
