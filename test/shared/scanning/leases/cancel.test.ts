import { beforeEach, describe, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { type ScannerTypes, scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { askHolder, cancelLeasable } from '#shared/scanning/leases/cancel.ts';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { TaskTaken } from '#shared/scanning/scanner-tasks/queue.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: World;
let id: string;
beforeEach(async () => {
  clock = stopClock();
  world = newWorld(store.dynamo);
  ({ id } = await world.link());
  await world.engage(['10.0.0.1']);
});

async function only(): Promise<ScannerTask> {
  const [task] = await world.tasks();
  if (!task) throw new Error('a task of the engagement');
  return world.table.get(scannerTasks, task.id, true);
}
const cancel = async (more: object = {}) =>
  cancelLeasable<ScannerTypes>(scannerLeases, world.table, { id: (await only()).id, ...more });
const told = async () => (await world.poll(id, { capacity: 0 })).cancel.map(({ reason }) => reason);
const DENIED = { code: 'denied', message: 'No.' };

describe('a task that waits', () => {
  test('is cancelled at once, with the reason if there is one, and handed to nobody', async () => {
    expect(await cancel({ error: DENIED })).toMatchObject({ status: 'cancelled', error: DENIED });
    expect(await only()).toMatchObject({ status: 'cancelled', error: DENIED });
    expect((await world.poll(id)).tasks).toEqual([]);
    await expect(cancel()).rejects.toMatchObject({ code: 'conflict' });
  });

  test('stays as it is when it must not be cancelled any more', async () => {
    const seen: string[] = [];
    const allow = ({ status }: ScannerTask) => {
      seen.push(status);
      throw conflict('It is approved already.');
    };
    await expect(cancel({ allow })).rejects.toThrow('It is approved already.');
    await world.poll(id);
    await expect(cancel({ allow })).rejects.toThrow('It is approved already.');
    expect(seen).toEqual(['pending', 'running']);
    expect(await only()).toMatchObject({ status: 'running', cancelRequestedAt: null });
  });
});

describe('a task that runs', () => {
  test('continues until its machine, which gets the reason, confirms', async () => {
    await world.poll(id);
    expect(await cancel()).toMatchObject({ status: 'running', cancelRequestedAt: now() });
    expect(await told()).toEqual(['cancelled']);
    await world.complete(id, [{ taskId: (await only()).id, outcome: 'cancelled' }]);
    expect(await only()).toMatchObject({ status: 'cancelled' });
  });

  test('is asked to stop once: who asks again changes neither the time nor the reason', async () => {
    await world.poll(id);
    await cancel({ error: DENIED });
    const asked = await only();
    clock.pass(1);
    expect(await cancel()).toEqual(asked);
    expect(
      await askHolder<ScannerTypes>(scannerLeases, world.table, { task: asked, reason: 'duration_limit' }),
    ).toEqual(asked);
    expect(await told()).toEqual(['denied']);
  });

  test('and has left its machine meanwhile is not asked: the caller reads it again', async () => {
    await world.poll(id);
    const before = await only();
    clock.pass(LEASE_SECONDS);
    await world.sweep();
    const late = askHolder<ScannerTypes>(scannerLeases, world.table, { task: before, reason: 'cancelled' });
    await expect(late).rejects.toBeInstanceOf(TaskTaken);
    const nobody = askHolder<ScannerTypes>(scannerLeases, world.table, {
      task: { ...before, scanner: null },
      reason: 'cancelled',
    });
    await expect(nobody).rejects.toBeInstanceOf(TaskTaken);
    expect(await only()).toMatchObject({ status: 'pending', cancelRequestedAt: null });
  });
});
