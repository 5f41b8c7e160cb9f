import { afterAll, afterEach, expect, test } from 'vitest';
import type { Submission } from '#shared/ingest/submission.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { goToDay } from './days.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const part = (n: number) => sarif(problems(1, n));
const seen = async (table: Table) => statuses(await allFindings({ connections: world.connections, table }));

/** Sends the reports of one scan, as a scanner does that writes a file for each part. */
async function scan(table: Table, contents: readonly string[], more: Partial<Submission> = {}) {
  const ids = contents.map(() => newId());
  for (const [n, content] of contents.entries()) {
    const siblings = ids.filter((_, other) => other !== n);
    await world.accept(table, codeScan(content, { source: 'scanner', taskId: ids[n], siblings, ...more }));
  }
  await world.drain();
  return Promise.all(ids.map((id) => world.task(table, id)));
}

/** Times of sightings are kept in seconds, and what was seen in the second of a scan is not said to be gone by it. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1100));

test('the reports of one scan do not close what the others of them have', async () => {
  const table = world.newOrganization();
  await scan(table, [part(0), part(1)]);
  await nextSecond();
  await scan(table, [part(0), part(1)]);
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'open', 'src/file-1.ts': 'open' });
  for (const { reopenedCount } of await allFindings({ connections: world.connections, table }))
    expect(reopenedCount).toBe(0);
});

test('a finding that no report of the scan has is closed by the last report', async () => {
  const table = world.newOrganization();
  await scan(table, [part(0), part(1), part(2)]);
  await nextSecond();
  const tasks = await scan(table, [part(1), sarif([]), part(2)]);
  expect(tasks.map(({ result }) => result?.closed)).toEqual([0, 0, 1]);
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'fixed', 'src/file-1.ts': 'open', 'src/file-2.ts': 'open' });
  await expectSound(table);
});

test('a scan of which one report cannot be read closes nothing', async () => {
  const table = world.newOrganization();
  await scan(table, [part(0), part(1)]);
  await nextSecond();
  await scan(table, [part(0).slice(0, -9), sarif([])]);
  await nextSecond();
  await scan(table, [sarif([]), part(0).slice(0, -9)]);
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'open', 'src/file-1.ts': 'open' });
});

test('a report of another kind of the same scan, which cannot be read, does not hold up what this one proves', async () => {
  const table = world.newOrganization();
  goToDay(0);
  await scan(table, [part(0)]);
  goToDay(1);
  const ids = [newId(), newId()];
  const about = (n: number) =>
    ({ source: 'scanner', taskId: ids[n], siblings: ids.filter((_, one) => one !== n) }) as const;
  await world.accept(table, codeScan(sarif([]), about(0)));
  await world.accept(table, codeScan(part(1).slice(0, -9), { ...about(1), scanType: 'other' }));
  await world.drain();
  const tasks = await Promise.all(ids.map((id) => world.task(table, id)));
  expect(tasks.map(({ status, result }) => [status, result?.closed])).toEqual([
    ['succeeded', 1],
    ['failed', undefined],
  ]);
});

test('a scan of which one report never came closes nothing', async () => {
  const table = world.newOrganization();
  goToDay(0);
  await scan(table, [part(0)]);
  goToDay(1);
  await scan(table, [sarif([])], { siblings: [newId()] });
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'open' });
});
