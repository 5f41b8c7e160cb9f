import { afterAll, expect, test } from 'vitest';
import { followUp } from '#shared/platform/feed/audit.ts';
import { announcedIn, sheetsAfter } from '#shared/platform/feed/log.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { inboxKey } from '#shared/platform/table/changes.ts';
import { queryRows } from '#shared/platform/table/io/read.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(async () => {
  setClock();
  await world.stop();
});

const FINDINGS = 1000;

test('the change feed costs less than half a write unit for each new finding of an import', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(FINDINGS))));
  const { pk, sk: prefix } = inboxKey(table.tenant, '');
  const rows = await queryRows(table.dynamo, { pk, prefix, consistent: true });
  const inTransactions = rows.map(({ pk, sk, z }) => 2 * Math.ceil((pk.length + sk.length + z.length + 5) / 1024));
  setClock(() => Date.now() + 60_000);
  const meter = attachMeter(world.connections.dynamo);
  const { writeUnits } = await meter.measure(async () => {
    while (await followUp(table));
  });
  const told = (await sheetsAfter(table, 0, 100)).flatMap(announcedIn);
  expect(told.filter(({ change }) => change?.entity === 'finding')).toHaveLength(FINDINGS);
  const units = inTransactions.reduce((sum, one) => sum + one, 0) + writeUnits;
  expect(units / FINDINGS).toBeLessThan(0.5);
});
