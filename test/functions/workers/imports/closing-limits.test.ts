import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { moveStatus } from '#shared/findings/finding/finding-status.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, type Problem, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const scan = async (table: Table, found: readonly Problem[], more: Parameters<typeof codeScan>[1] = {}) =>
  (await world.ingest(table, codeScan(sarif(found), more))).result;

/** How many findings have this status, as the list says at once. */
const countOf = async (table: Table, status: string) =>
  (await table.list(findings, { paginateFrom: 0, paginateSize: 1, filter: { status } })).totalCount;

describe('a closing is held back', () => {
  test('from twenty findings on, and not below', async () => {
    const table = world.newOrganization();
    await scan(table, problems(30));
    expect(await scan(table, problems(10))).toMatchObject({ closed: 0, held: { count: 20 } });
    const other = world.newOrganization();
    await scan(other, problems(30));
    expect(await scan(other, problems(11))).toMatchObject({ closed: 19 });
    expect(await countOf(other, 'fixed')).toBe(19);
  });

  test('where it is of more than half of the open findings, and not of half, however large the report', async () => {
    const [small, large] = [world.newOrganization(), world.newOrganization()];
    await scan(small, problems(42));
    expect(await scan(small, problems(21))).toMatchObject({ unchanged: 21, closed: 21 });
    await scan(large, problems(400));
    expect(await scan(large, problems(200))).toMatchObject({ unchanged: 200, closed: 200 });
    expect(await countOf(large, 'fixed')).toBe(200);
    await expectSound(large);
  });

  test('where most of the own findings are gone, although the report sees many of another scan', async () => {
    const table = world.newOrganization();
    await scan(table, problems(40, 100), { scanType: 'quick' });
    await scan(table, problems(30), { scanType: 'full' });
    const left = [...problems(10), ...problems(40, 100)];
    expect(await scan(table, left, { scanType: 'full' })).toMatchObject({ closed: 0, held: { count: 20 } });
  });

  test('and its confirmation leaves alone what people decided meanwhile', async () => {
    const table = world.newOrganization();
    await scan(table, problems(30));
    const held = await world.ingest(table, codeScan(sarif(problems(5))));
    for (const { id, location } of await allFindings({ connections: world.connections, table }))
      if (/file-(10|20)\b/.test(location))
        await table.modify(findings, id, (it) =>
          moveStatus(it, { to: 'false_positive', at: it.createdAt, reason: 'a test file' }),
        );
    const { taskId } = await confirmHeld({ connections: world.connections, table }, held.id);
    await world.drain();
    expect((await world.task(table, taskId)).result).toMatchObject({ closed: 23 });
    expect(statuses(await allFindings({ connections: world.connections, table }))).toMatchObject({
      'src/file-4.ts': 'open',
      'src/file-9.ts': 'fixed',
      'src/file-10.ts': 'false_positive',
      'src/file-20.ts': 'false_positive',
    });
    await expectSound(table);
  });
});

test('a finding that two scans see is closed by its own scan alone, until that was not run for 30 days', async () => {
  const table = world.newOrganization();
  const start = nowMs();
  const after = (milliseconds: number) => setClock(() => start + milliseconds);
  after(0);
  await scan(table, problems(2), { scanType: 'full' });
  after(1000);
  await scan(table, problems(2), { scanType: 'quick' });
  const days = 30 * 86_400_000;
  after(days);
  expect(await scan(table, problems(1), { scanType: 'quick' })).toMatchObject({ unchanged: 1, closed: 0 });
  after(days + 1000);
  expect(await scan(table, problems(1), { scanType: 'quick' })).toMatchObject({ unchanged: 1, closed: 1 });
});

test('a large report counts each kind of change in both of its halves, and its progress is the sum', async () => {
  const table = world.newOrganization();
  const [changed, returned, size] = [20, 45, 210];
  await scan(table, problems(60));
  expect(await scan(table, problems(returned))).toMatchObject({ closed: 15 });
  const wordsOf = (one: Problem, n: number) => (n >= changed && n < returned ? { ...one, text: `Moved ${n}` } : one);
  const all = problems(size).map(wordsOf);
  // each half of the report has some of each kind
  const mixed = all.flatMap((_, n) => all[(n * 101) % size] ?? []);
  const task = await world.ingest(table, codeScan(sarif(mixed)));
  const high = (count: number) => ({ critical: 0, high: count, medium: 0, low: 0, info: 0 });
  expect(task.result).toMatchObject({
    created: 150,
    updated: 25,
    unchanged: 20,
    reopened: 15,
    closed: 0,
    bySeverity: { created: high(150), reopened: high(15), closed: high(0) },
    comparison: { new: high(165), existing: high(45) },
  });
  expect(task.progress).toMatchObject({ done: size, total: size });
  await expectSound(table);
});
