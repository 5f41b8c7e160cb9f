import { afterAll, afterEach, expect, test } from 'vitest';
import { jobs, visibilitySeconds } from '#shared/platform/jobs/jobs.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { makeVictim } from './crash.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());
const victim = await makeVictim(world.connections);

const report = (count: number) => codeScan(sarif(problems(count)));

/** A report whose worker died with the scope in its hands, and whose message is lost. */
async function lostHolder(table: Table): Promise<string> {
  const id = await world.accept(table, report(3));
  victim.killAt(3, 'after');
  await world.deliver();
  victim.restart();
  world.messages.splice(0);
  expect(await world.task(table, id)).toMatchObject({ status: 'running' });
  return id;
}

test('a lost report keeps its scope as long as its worker may come back; then the one that waited longest is woken', async () => {
  const table = world.newOrganization();
  await lostHolder(table);
  const start = nowMs();
  const heldMs = visibilitySeconds(jobs.ingest) * jobs.ingest.attempts * 1000;
  setClock(() => start + heldMs - 60_000);
  const waiting = await world.ingest(table, report(2));
  expect(waiting).toMatchObject({ status: 'queued' });
  setClock(() => start + heldMs + 60_000);
  const last = await world.ingest(table, report(1));
  expect(last).toMatchObject({ status: 'succeeded', result: { unchanged: 1, closed: 1 } });
  expect(await world.task(table, waiting.id)).toMatchObject({ status: 'succeeded', result: { created: 2 } });
});

test('a scope whose holder is not kept any more takes the next report', async () => {
  const table = world.newOrganization();
  const id = await lostHolder(table);
  const batch = table.batch();
  batch.write({ remove: rowKey(table.tenant, taskRows, { id }) });
  await batch.commit();
  expect(await world.ingest(table, report(2))).toMatchObject({ status: 'succeeded' });
});
