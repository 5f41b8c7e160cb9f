import { afterAll, expect, test } from 'vitest';
import { findings } from '#shared/findings/finding/finding.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { eachWrite } from '../../../support/tier.ts';
import { makeVictim } from './crash.ts';
import { expectSound } from './expectations.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
const victim = await makeVictim(world.connections);

/** Enough for several batches. */
const LINES = 210;
const KNOWN = 20;
const before = codeScan(sarif(problems(KNOWN)));
const report = codeScan(sarif(problems(LINES).map((one, n) => (n < KNOWN ? { ...one, text: `Moved ${n}` } : one))));
const result = { created: LINES - KNOWN, updated: KNOWN, unchanged: 0, closed: 0, reopened: 0 };

async function expectOnce(table: Table, id: string): Promise<void> {
  expect(await world.task(table, id)).toMatchObject({ status: 'succeeded', result });
  expect(await table.list(findings, { paginateFrom: 0, paginateSize: 1 })).toMatchObject({ totalCount: LINES });
  await expectSound(table);
}

test('a worker killed at any write of a large chunk counts and writes each finding once', async () => {
  for (let write = 1; ; write += eachWrite(9)) {
    const table = world.newOrganization();
    await world.ingest(table, before);
    const id = await world.accept(table, report);
    victim.killAt(write, write % 2 === 0 ? 'before' : 'after');
    await world.deliver();
    const died = victim.isDead();
    victim.restart();
    await world.drain();
    await expectOnce(table, id);
    if (died) continue;
    expect(write).toBeGreaterThan(10);
    return;
  }
});

test('two workers that have the same message at once apply it once, and neither loses a finding', async () => {
  const table = world.newOrganization();
  await world.ingest(table, before);
  const id = await world.accept(table, report);
  const message = world.messages.shift();
  await Promise.all([world.deliver(message), world.deliver(message && { ...message })]);
  await world.drain();
  await expectOnce(table, id);
});
