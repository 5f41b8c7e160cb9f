import { afterAll, afterEach, expect, test } from 'vitest';
import { confirmHeld } from '#functions/ingest/import/confirm.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startFaultyWorld } from '../../../support/fault-plan.ts';
import { codeScan, problems, sarif } from './reports.ts';

const world = await startFaultyWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const start = Date.parse('2026-01-15T08:00:00Z');
const OVERDUE_MS = 180_000;
const MAX_WRITES = 6;

/** The statuses of an organization's tasks a while after a request whose process was killed at a write. */
async function statusesAfter(table: Table, request: () => Promise<unknown>, kill: [number, 'before' | 'after']) {
  world.victim.killAt(...kill);
  await request().catch(() => undefined);
  world.victim.restart();
  setClock(() => start + OVERDUE_MS);
  await sweep(world.connections);
  await world.drain();
  return (await world.tasksOf(table)).map(({ status }) => status);
}

const everyKill = Array.from({ length: MAX_WRITES }, (_, n) => n + 1).flatMap((write) =>
  (['before', 'after'] as const).map((when): [number, 'before' | 'after'] => [write, when]),
);

test('a report whose process died while it came in is either unknown or worked, and never waits for ever', async () => {
  for (const kill of everyKill) {
    const table = world.newOrganization();
    setClock(() => start);
    const statuses = await statusesAfter(table, () => world.accept(table, codeScan(sarif(problems(1)))), kill);
    expect(statuses.filter((status) => status !== 'succeeded')).toEqual([]);
  }
});

test('a confirmed closing whose process died is either unknown or done, and never waits for ever', async () => {
  const counts: number[] = [];
  for (const kill of everyKill) {
    const table = world.newOrganization();
    setClock(() => start - 1000);
    await world.ingest(table, codeScan(sarif(problems(30))));
    setClock(() => start);
    const { id } = await world.ingest(table, codeScan(sarif([])));
    const statuses = await statusesAfter(table, () => confirmHeld({ connections: world.connections, table }, id), kill);
    expect(statuses.filter((status) => status !== 'succeeded')).toEqual([]);
    counts.push(statuses.length);
  }
  expect(counts).toContain(3);
});
