import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTable } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { dice, injectFaults } from '../../../support/faults.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { replayOldRows } from '../../../support/stale-reads.ts';
import { useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();

const SCANNERS = 3;
const scanner = fc.nat({ max: SCANNERS - 1 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('poll'), scanner, capacity: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('complete'), scanner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('complete again'), scanner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), scanner }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass'), seconds: fc.integer({ min: 30, max: 2 * LEASE_SECONDS }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep') }) },
);
type Step = { kind: string; scanner?: number; capacity?: number; seconds?: number };

/** The tasks that a scanner believes to hold, and every result that was taken from it. */
type Believer = { id: string; holds: Set<string>; sent: string[] };

test('whatever scanners, leases and sweeps do in whatever order, each task is done once and every counter is right', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 25 }),
      fc.nat(),
      fc.boolean(),
      async (rounds, seed, isBehind) => {
        const clock = stopClock();
        const dynamo = store.connect();
        const world = newWorld(dynamo);
        const observer = newWorld(store.dynamo, openTable(store.dynamo, world.table.organizationId));
        if (isBehind) replayOldRows(dynamo);
        const engagement = await world.engage(Array.from({ length: 8 }, (_, n) => `10.0.0.${n}`));
        const linked = await Promise.all(Array.from({ length: SCANNERS }, () => world.link()));
        const scanners = linked.map(({ id }): Believer => ({ id, holds: new Set(), sent: [] }));
        const endFaults = injectFaults(dynamo, { random: dice(seed), conflict: 0.2, throttle: 0.05, lost: 0.05 });
        const completed: string[] = [];
        const run = (one: Step) => runStep({ world, scanners, completed, clock }, one);
        for (const round of rounds) await Promise.all(round.map(run));
        endFaults();
        await finishAll({ world, scanners, completed, clock });
        const tasks = await observer.tasks();
        const ended = tasks.filter(({ status }) => status === 'completed').map(({ id }) => id);
        expect(new Set(completed).size).toBe(completed.length);
        expect(completed.toSorted()).toEqual(ended.toSorted());
        expect(tasks.every(({ status }) => status === 'completed' || status === 'failed')).toBe(true);
        expect((await observer.table.get(engagements, engagement.id)).status).toMatch(/completed|failed/);
        await observer.expectExactCounters();
      },
    ),
    { numRuns: runs(3, 16) },
  );
});

type Play = { world: World; scanners: Believer[]; completed: string[]; clock: { pass(seconds: number): void } };

async function runStep({ world, scanners, completed, clock }: Play, { kind, ...one }: Step): Promise<void> {
  const who = scanners[one.scanner ?? 0];
  if (!who) return;
  const [held] = who.holds;
  if (kind === 'pass') clock.pass(one.seconds ?? 0);
  if (kind === 'sweep') await world.sweep();
  if (kind === 'poll') {
    const running = [...who.holds].map((taskId) => ({ taskId, progress: 0.5 }));
    const { tasks, lost } = await world.poll(who.id, { capacity: one.capacity ?? 0, running });
    for (const taskId of lost) who.holds.delete(taskId);
    for (const { id } of tasks) who.holds.add(id);
  }
  if (kind === 'complete' && held) await send({ world, who, completed }, held, 'completed');
  if (kind === 'fail' && held) await send({ world, who, completed }, held, 'failed');
  if (kind === 'complete again' && who.sent[0]) {
    const { results } = await world.complete(who.id, [{ taskId: who.sent[0], outcome: 'completed' }]);
    expect(results[0]?.accepted).toBe(true);
  }
}

async function send(
  { world, who, completed }: { world: World; who: Believer; completed: string[] },
  taskId: string,
  outcome: string,
) {
  who.holds.delete(taskId);
  const { results } = await world.complete(who.id, [{ taskId, outcome }]);
  if (!results[0]?.accepted || outcome !== 'completed') return;
  completed.push(taskId);
  who.sent.push(taskId);
}

/** Silent scanners lose what they hold; then one scanner does what is left. */
async function finishAll({ world, scanners, completed, clock }: Play): Promise<void> {
  clock.pass(2 * LEASE_SECONDS);
  await world.sweep();
  for (const who of scanners) who.holds.clear();
  const [who] = scanners;
  if (!who) return;
  for (let empty = 0; empty < 4; ) {
    const { tasks } = await world.poll(who.id, { capacity: 5 });
    empty = tasks.length > 0 ? 0 : empty + 1;
    for (const { id } of tasks) await send({ world, who, completed }, id, 'completed');
  }
}
