import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { updateFinding } from '#functions/findings/findings/update-finding.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { inSeconds, nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { allFindings, expectSound } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const [problem] = problems(1);
const found = (text?: string) => codeScan(sarif(problem ? [{ ...problem, ...(text && { text }) }] : []));
const none = codeScan(sarif([]));
const caller = { kind: 'user', id: 'ann', name: 'Ann', organizationId: newId(), role: 'analyst' } as const;

let table: Table;
let until = '';
beforeEach(async () => {
  table = world.newOrganization();
  until = inSeconds(3600);
  await world.ingest(table, found());
  const { id } = await only();
  await updateFinding({
    connections: world.connections,
    table,
    caller,
    id,
    patch: { status: 'risk_accepted', acceptedUntil: until, reason: 'planned' },
  });
});

async function only() {
  const [finding] = await allFindings({ connections: world.connections, table });
  if (!finding) throw new Error('no finding');
  return finding;
}

/** The sweeper's work at the time of the timer. */
async function endIt(): Promise<void> {
  const start = nowMs();
  setClock(() => start + 3_600_000);
  const { organizationId } = table;
  const at = Date.parse(until);
  await work(world.connections, placedTimer({ at, kind: 'acceptance', organizationId, id: (await only()).id }));
}

test('an accepted finding that scans see again, changed even, stays accepted until its time and is open then', async () => {
  await world.ingest(table, found());
  await world.ingest(table, found('Said in other words'));
  expect(await only()).toMatchObject({ status: 'risk_accepted', acceptedUntil: until, title: 'Said in other words' });
  await endIt();
  const scan = await world.ingest(table, found('Said in other words'));
  expect(scan.result).toMatchObject({ reopened: 0, unchanged: 1 });
  expect(await only()).toMatchObject({ status: 'open', reopenedCount: 0, occurrences: 4 });
  await expectSound(table);
});

test('an accepted finding that a scan no longer sees is closed by the first scan after its acceptance ended, and not before', async () => {
  expect((await world.ingest(table, none)).result).toMatchObject({ closed: 0 });
  expect(await only()).toMatchObject({ status: 'risk_accepted' });
  await endIt();
  expect(await only()).toMatchObject({ status: 'open' });
  const scan = await world.ingest(table, none);
  expect(scan.result).toMatchObject({ closed: 1 });
  expect(await only()).toMatchObject({ status: 'fixed', links: { fixedBy: `/api/v1/tasks/${scan.id}` } });
  await world.ingest(table, found());
  expect(await only()).toMatchObject({ status: 'open', reopenedCount: 1 });
  await expectSound(table);
});
