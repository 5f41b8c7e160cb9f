import { afterAll, expect, test } from 'vitest';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan, type Problem, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

/** Two chunks. */
const FINDINGS = 2_500;

test('a large report is charged few reads: none for what cannot stand yet, and none for what nobody changed since the last scan', async () => {
  const table = world.newOrganization();
  const meter = attachMeter(world.connections.dynamo);
  const ingest = (found: Problem[]) => meter.measure(() => world.ingest(table, codeScan(sarif(found))));
  const all = problems(FINDINGS);
  const first = await ingest(all);
  expect(first.readUnits / FINDINGS).toBeLessThan(0.1);
  const again = await ingest(all);
  expect(again.readUnits / FINDINGS).toBeLessThan(0.04);
  expect(again.writeUnits / FINDINGS).toBeLessThan(0.03);
  const changed = await ingest(all.map((one, n) => (n % 100 === 0 ? { ...one, text: 'Otherwise' } : one)));
  expect(changed.readUnits / FINDINGS).toBeLessThan(0.15);
});
