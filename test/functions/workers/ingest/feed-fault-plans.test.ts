import { afterAll, afterEach, expect, test } from 'vitest';
import { assets } from '#shared/entities/asset.ts';
import { findings } from '#shared/entities/finding.ts';
import { followUp } from '#shared/feed/audit.ts';
import { follow } from '#shared/feed/consumer.ts';
import { deliveries, jobs } from '#shared/jobs/jobs.ts';
import { setClock } from '#shared/runtime/clock.ts';
import type { Table } from '#shared/table/table.ts';
import { dice, type Faults, injectFaults } from '#test/support/faults.ts';
import { expectIndexed, expectSeenOnce, expectWholeLog, noting } from '../../../shared/feed/world.ts';
import { makeVictim } from './crash.ts';
import { codeScan, problems, sarif } from './reports.ts';
import { startWorld } from './world.ts';

/** `FAULT_PLANS=200` asks for more plans, `FAULT_SEED=17` for one. */
const { FAULT_PLANS = '3', FAULT_SEED = '' } = process.env;
const seeds = FAULT_SEED ? [Number(FAULT_SEED)] : Array.from({ length: Number(FAULT_PLANS) }, (_, n) => n + 1);

const world = await startWorld();
const victim = await makeVictim(world.connections);
const faults: Faults = { random: () => 1 };
injectFaults(world.connections.dynamo, faults);
afterAll(() => world.stop());
afterEach(() => setClock());

const calm = { conflict: 0, single: 0, throttle: 0, lost: 0, unprocessed: 0, random: () => 1 };
const stormy = { conflict: 0.2, single: 0.2, throttle: 0.05, lost: 0.15, unprocessed: 0.2 };
const READERS = ['tickets', 'rules'];

type Random = () => number;

/** Each message is worked, and after it the readers work, each perhaps killed at one of its writes. */
async function workAndRead(table: Table, random: Random): Promise<void> {
  const start = Date.parse('2026-01-15T08:00:00.250Z');
  const upTo = (n: number) => 1 + Math.floor(random() * n);
  const perhapsKilled = async (work: () => Promise<unknown>) => {
    if (random() < 0.5) victim.killAt(upTo(8), random() < 0.5 ? 'before' : 'after');
    await work().catch((error: Error) => expect(error.name).toBe('Crash'));
    const died = victim.isDead();
    victim.restart();
    return died;
  };
  for (let minute = 1; world.messages[0]; minute++) {
    setClock(() => start + minute * 60_000);
    const message = world.messages.shift();
    if (!message || message.received >= deliveries(jobs.ingest)) continue;
    const died = await perhapsKilled(() => world.deliver(message));
    if (died && !world.messages.includes(message)) world.messages.unshift(message);
    await perhapsKilled(() => followUp(table));
    for (const reader of READERS) await perhapsKilled(() => follow(table, reader, noting(table, reader, upTo)));
  }
  setClock(() => start + 86_400_000);
}

const versionsOf = async (table: Table): Promise<Map<string, number>> => {
  const range = { paginateFrom: 0, paginateSize: 500 };
  const [{ data: all }, { data: owners }] = await Promise.all([table.list(findings, range), table.list(assets, range)]);
  return new Map([...all, ...owners].map(({ id, version }) => [id, version]));
};

test.each(seeds)(
  'plan %i of faults and kills shows each reader every change of an import once and in the order of the record',
  async (seed) => {
    const random = dice(seed);
    const table = world.newOrganization();
    for (const n of [1, 2, 3, 4]) {
      const seen = problems(9).filter(() => random() < 0.6);
      await world.accept(table, codeScan(sarif(seen), { ref: n % 2 ? 'main' : 'feature', closeMissing: true }));
    }
    Object.assign(faults, stormy, { random });
    await workAndRead(table, random);
    Object.assign(faults, calm);
    while (await followUp(table));
    await expectWholeLog(table, await versionsOf(table));
    for (const reader of READERS) await expectSeenOnce(table, reader);
    await expectIndexed(table);
  },
);
