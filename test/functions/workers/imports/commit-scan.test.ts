import { afterAll, expect, test } from 'vitest';
import type { Submission } from '#shared/ingest/submission.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { eachWrite } from '../../../support/tier.ts';
import { makeVictim } from './crash.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
const victim = await makeVictim(world.connections);

const report = (count: number, more: Partial<Submission> = {}) =>
  codeScan(sarif(problems(count)), { commit: 'one', ...more });

/** How many findings the report of a retry calls new. */
async function newIn(table: Table, submission: Submission): Promise<number> {
  const { result } = await world.ingest(table, submission);
  return (result as { comparison: { new: { high: number } } }).comparison.new.high;
}

test.each(['before', 'after'] as const)(
  'what a commit brought is new for its retry, though the first import died %s any of its writes for good',
  async (when) => {
    for (let write = 1; ; write += eachWrite(4)) {
      const table = world.newOrganization();
      await world.accept(table, report(3));
      victim.killAt(write, when);
      await world.deliver();
      const died = victim.isDead();
      victim.restart();
      world.messages.length = 0;
      expect({ write, fresh: await newIn(table, report(3, { scanType: 'again' })) }).toEqual({ write, fresh: 3 });
      if (!died) {
        expect(write).toBeGreaterThan(5);
        return;
      }
    }
  },
);

test('of two reports on a commit that are worked in the other order, the earlier one counts', async () => {
  const table = world.newOrganization();
  await world.accept(table, report(2, { scanType: 'early' }));
  const [early] = world.messages.splice(0);
  await world.accept(table, report(3, { scanType: 'late' }));
  await world.drain();
  await world.deliver(early);
  await world.drain();
  for (const scanType of ['early', 'late']) expect(await newIn(table, report(3, { scanType }))).toBe(3);
  expect(await newIn(table, report(3, { scanType: 'late', commit: 'two' }))).toBe(0);
});
