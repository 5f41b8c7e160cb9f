import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { TIMER_SHARDS } from '#shared/platform/timers/timers.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { LEASE_WORLDS } from '../../../support/lease-worlds.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
beforeAll(() => {
  clock = stopClock();
});

describe.each(LEASE_WORLDS)('the bill for one %s', (_kind, open) => {
  /** A machine that has been there for a while, and a meter on the connection that its polls use. */
  async function settledMachine() {
    const dynamo = store.connect();
    const world = open(dynamo);
    const id = await world.link();
    await world.poll(id);
    return { world, id, meter: attachMeter(dynamo) };
  }

  test('a heartbeat is recorded once a minute, with one write unit; other idle polls are one trip and one read unit', async () => {
    const { world, id, meter } = await settledMachine();
    clock.pass(61);
    expect(await meter.measure(() => world.poll(id))).toMatchObject({ roundTrips: 2, writeUnits: 1 });
    clock.pass(59);
    const idle = await meter.measure(() => world.poll(id));
    expect(idle).toMatchObject({ roundTrips: 1, writeUnits: 0 });
    expect(idle.readUnits).toBeLessThanOrEqual(1);
  });

  test('a poll that renews many leases writes no more than the one row', async () => {
    // told another interval each time, a machine now and then moves its timer as well
    setRandom(() => 0.5);
    onTestFinished(() => setRandom());
    const { world, id, meter } = await settledMachine();
    await world.offer(Array.from({ length: 5 }, (_, n) => `10.0.1.${n}`));
    const { tasks } = await world.poll(id, { capacity: 5 });
    clock.pass(61);
    const running = tasks.map(({ id: taskId }) => ({ taskId, progress: 0.5 }));
    await world.poll(id, { capacity: 0, running });
    clock.pass(61);
    const renewal = await meter.measure(() => world.poll(id, { capacity: 0, running }));
    expect(tasks).toHaveLength(5);
    expect(renewal).toMatchObject({ roundTrips: 2 });
    expect(renewal.writeUnits).toBeLessThanOrEqual(2);
  });

  test('a sweep costs the same however many machines are fine', async () => {
    const { world, meter } = await settledMachine();
    const ids = await Promise.all(Array.from({ length: 15 }, () => world.link()));
    for (let minutes = 0; minutes < 6; minutes++) {
      clock.pass(60);
      await Promise.all(ids.map((id) => world.poll(id)));
    }
    await world.sweep(); // those of the other tests, which are silent by now
    const sweep = await meter.measure(() => world.sweep());
    expect(sweep).toMatchObject({ roundTrips: 1, readUnits: TIMER_SHARDS / 2, writeUnits: 0 });
  });
});
