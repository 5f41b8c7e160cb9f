import { afterAll, expect, test } from 'vitest';
import { queueMaintenance } from '#functions/maintenance/queue.ts';
import { importedReports } from '#shared/entities/imported-report.ts';
import { readScope } from '#shared/findings/scan-scope.ts';
import { scopeOf, taskFiles } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/table/table.ts';
import { allFindings, expectSound, statuses } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

const both = codeScan(sarif(problems(2)));
const one = codeScan(sarif(problems(1)));
const clean = codeScan(sarif([]), { ref: 'next' });
const seen = async (table: Table) => statuses(await allFindings(world.connections, table));

/** The table was restored to a moment whose states have left the bucket since. */
async function loseStates(table: Table): Promise<void> {
  for (const scan of [both, clean]) {
    const { stateKey = '' } = await readScope(table, scopeOf(scan, 'sarif'));
    await world.connections.bucket.remove([stateKey]);
  }
}

async function settle(table: Table) {
  const { taskId } = await queueMaintenance(world.connections, table, { work: 'restored', repair: false });
  await world.drain();
  return world.task(table, taskId);
}

test('a report whose scope has lost its state is refused with the reason, and closes again once the state is made anew', async () => {
  const table = world.newOrganization();
  await world.ingest(table, both);
  await world.ingest(table, clean);
  await loseStates(table);
  for (const scan of [one, clean]) {
    const refused = await world.ingest(table, scan);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'scan_state_missing' } });
    const told = await table.findUnique(importedReports, { field: 'task', value: refused.id }, true);
    expect(told).toMatchObject({ status: 'failed', error: { code: 'scan_state_missing' } });
  }
  const settled = await settle(table);
  expect(settled).toMatchObject({ status: 'succeeded', result: { made: 2, requeued: 0 } });
  // the four imports, then the two findings to look for scopes and again to make their states, and the tasks
  expect(settled.progress?.done).toBeGreaterThanOrEqual(4 + 2 + 2);
  const scan = await world.ingest(table, one);
  expect(scan).toMatchObject({ status: 'succeeded', result: { unchanged: 1, closed: 1 } });
  expect(await seen(table)).toEqual({ 'src/file-0.ts': 'open', 'src/file-1.ts': 'fixed' });
  expect(await world.ingest(table, clean)).toMatchObject({ status: 'succeeded' });
  expect(await settle(table)).toMatchObject({ result: { made: 0, requeued: 0 } });
  await expectSound(table);
});

test('a report whose message is lost goes on, and one whose files are gone fails and leaves its scope to the next', async () => {
  const table = world.newOrganization();
  const [gone, kept] = [await world.accept(table, both), await world.accept(table, both)];
  world.messages.length = 0;
  await world.connections.bucket.remove([taskFiles(table.organizationId, gone).submission]);
  expect(await settle(table)).toMatchObject({ status: 'succeeded', result: { requeued: 2 } });
  expect(await world.task(table, gone)).toMatchObject({ status: 'failed', error: { code: 'report_missing' } });
  expect(await world.task(table, kept)).toMatchObject({ status: 'succeeded', result: { created: 2 } });
  expect(await readScope(table, scopeOf(both, 'sarif'))).not.toHaveProperty('holder');
  await expectSound(table);
});
