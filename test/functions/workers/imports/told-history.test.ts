import { afterAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingHistory } from '#shared/findings/triage/history.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

async function historyOf(table: Table): Promise<unknown[]> {
  const { data } = await table.list(findings, { paginateFrom: 0, paginateSize: 10 });
  const rows = await Promise.all(data.map(({ id }) => table.rows(findingHistory).query(id, { consistent: true })));
  return rows
    .flat()
    .map(({ version, at, by, changes, scanTaskId }) => ({ version, at, by: by.kind, changes, scanTaskId }));
}

test('the history of a finding tells when scans closed it and found it again, and nothing of mere words', async () => {
  const table = world.newOrganization();
  const scan = (text: string) => world.ingest(table, codeScan(sarif(problems(1).map((one) => ({ ...one, text })))));
  await scan('Old words');
  await scan('New words');
  const gone = await world.ingest(table, codeScan(sarif([])));
  const again = await scan('New words');
  await scan('Other words');
  const moved = (from: string, to: string) => ({ status: { from, to } });
  expect(await historyOf(table)).toEqual([
    { version: 3, at: gone.createdAt, by: 'system', changes: moved('open', 'fixed'), scanTaskId: gone.id },
    { version: 4, at: again.createdAt, by: 'system', changes: moved('fixed', 'open'), scanTaskId: again.id },
  ]);
});
