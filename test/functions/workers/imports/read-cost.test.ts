import { afterAll, expect, test } from 'vitest';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** Two chunks. */
const FINDINGS = 2_500;

test('a large report is charged few reads: none for what cannot stand yet, and one for many findings that lie side by side', async () => {
  const table = world.newOrganization();
  const meter = attachMeter(world.connections.dynamo);
  const report = sarif(problems(FINDINGS));
  const first = await meter.measure(() => world.ingest(table, codeScan(report)));
  expect(first.readUnits / FINDINGS).toBeLessThan(0.1);
  const again = await meter.measure(() => world.ingest(table, codeScan(report)));
  expect(again.readUnits / FINDINGS).toBeLessThan(0.25);
  expect(again.writeUnits / FINDINGS).toBeLessThan(0.03);
});
