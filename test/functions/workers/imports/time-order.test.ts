import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { runs } from '../../../support/tier.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const MINUTE = 60_000;
const start = Date.parse('2026-01-15T08:00:00.250Z');
const timeOf = (n: number) => new Date(start + n * MINUTE).toISOString();

type Report = { has: readonly number[]; text?: string; closeMissing?: boolean; scanType?: string };

/** The reports come in at their minute; then they are worked in the given order of their places. */
async function work(reports: readonly Report[], order: readonly number[]): Promise<Table> {
  const table = world.newOrganization();
  const ids: string[] = [];
  for (const [n, { has, text, ...more }] of reports.entries()) {
    setClock(() => start + n * MINUTE);
    const found = problems(8).filter((_, which) => has.includes(which));
    ids.push(await world.accept(table, codeScan(sarif(found.map((one) => ({ ...one, text }))), more)));
  }
  setClock(() => start + reports.length * MINUTE);
  const messages = world.messages.splice(0);
  for (const n of order) {
    world.messages.push(...messages.slice(n, n + 1));
    await world.drain();
    expect((await world.task(table, ids[n] ?? '')).status).toBe('succeeded');
  }
  return table;
}

const found = async (table: Table) => allFindings({ connections: world.connections, table });
const inOrder = (reports: readonly Report[]) => reports.map((_, n) => n);

describe('an older report that is worked after a newer one', () => {
  test('does not close what the newer one saw', async () => {
    const table = await work([{ has: [0, 1] }, { has: [] }, { has: [0, 1] }], [0, 2, 1]);
    expect(statuses(await found(table))).toEqual({ 'src/file-0.ts': 'open', 'src/file-1.ts': 'open' });
  });

  test('does not open again what the newer one proved repaired', async () => {
    const table = await work([{ has: [0, 1] }, { has: [0, 1] }, { has: [0] }], [0, 2, 1]);
    const [open, fixed] = (await found(table)).sort((a, b) => (a.location < b.location ? -1 : 1));
    expect(open).toMatchObject({ status: 'open', occurrences: 3, lastSeenAt: timeOf(2) });
    expect(fixed).toMatchObject({ status: 'fixed', fixedAt: timeOf(2), occurrences: 2, lastSeenAt: timeOf(1) });
    expect(fixed?.reopenedCount).toBe(0);
  });

  test('leaves to the newer one what the finding says, and tells it when the finding was seen first', async () => {
    const table = await work(
      [
        { has: [0], text: 'Old words' },
        { has: [0], text: 'New words' },
      ],
      [1, 0],
    );
    const [finding] = await found(table);
    expect(finding).toMatchObject({ title: 'New words', firstSeenAt: timeOf(0), lastSeenAt: timeOf(1) });
    await expectSound(table);
  });

  test('has a finding that the newer one proves gone: it was repaired when the newer one came', async () => {
    const table = await work([{ has: [0] }, { has: [] }], [1, 0]);
    expect(await found(table)).toMatchObject([{ status: 'fixed', firstSeenAt: timeOf(0), fixedAt: timeOf(1) }]);
    await expectSound(table);
  });

  test('does not close what a newer scan of another profile saw', async () => {
    const reports = [
      { has: [0], scanType: 'full' },
      { has: [], scanType: 'full' },
      { has: [0], scanType: 'quick' },
    ];
    const table = await work(reports, [0, 2, 1]);
    expect(await found(table)).toMatchObject([{ status: 'open', lastSeenAt: timeOf(0) }]);
  });
});

test('a freed scope goes to the report that waited longest, and not to one that comes at that moment', async () => {
  const table = world.newOrganization();
  const ids: string[] = [];
  for (const has of [[0], [0, 1], [0, 1, 2]])
    ids.push(await world.accept(table, codeScan(sarif(problems(8).filter((_, n) => has.includes(n))))));
  const [first, second, third] = world.messages.splice(0);
  const { bucket } = world.connections;
  const get = bucket.get;
  bucket.get = async () => Promise.reject(new Error('the bucket does not answer'));
  await world.deliver(first);
  bucket.get = get;
  world.messages.splice(0);
  await world.deliver(second);
  await table
    .rows(taskRows)
    .set({ id: ids[0] ?? '' }, { status: 'failed', error: { code: 'dead_lettered', message: '' } });
  await world.deliver(third);
  const waiting = await world.task(table, ids[2] ?? '');
  expect(waiting.status).toBe('queued');
  await world.drain();
  const tasks = await Promise.all(ids.slice(1).map((id) => world.task(table, id)));
  expect(tasks.map(({ status, result }) => [status, result?.created])).toEqual([
    ['succeeded', 2],
    ['succeeded', 1],
  ]);
});

const report = fc.record({
  has: fc.subarray([0, 1, 2, 3]),
  text: fc.constantFrom('Old words', 'New words'),
  closeMissing: fc.constantFrom(true, true, false),
});
const history = fc
  .array(report, { minLength: 2, maxLength: 5 })
  .chain((reports) =>
    fc.tuple(fc.constant(reports), fc.shuffledSubarray(inOrder(reports), { minLength: reports.length })),
  );

/** The fields that no order of arrival changes. Only the last sighting of a finding is kept, so others may differ. */
async function knowable(table: Table) {
  return (await found(table)).map(({ location, status, title, firstSeenAt, lastSeenAt, occurrences }) => ({
    location,
    status,
    title,
    firstSeenAt,
    lastSeenAt,
    occurrences,
  }));
}

test('in whatever order reports are worked, findings end as if they had been worked in the order in which they came', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ([reports, order]) => {
      const [table, expected] = [await work(reports, order), await work(reports, inOrder(reports))];
      expect(await knowable(table)).toEqual(await knowable(expected));
      for (const { fixedAt, firstSeenAt, lastSeenAt } of await found(table))
        if (fixedAt) expect(firstSeenAt < fixedAt && lastSeenAt < fixedAt).toBe(true);
      await expectSound(table);
    }),
    { numRuns: runs(2, 12) },
  );
});
