import { beforeEach, describe, expect, test } from 'vitest';
import { deleteTask, updateTask } from '#functions/apex/apex-tasks/change.ts';
import { approveTask } from '#functions/apex/apex-tasks/decide.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { overtakeOnce } from '../../../support/faults.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: ApexWorld;
beforeEach(async () => {
  world = await newApexWorld(store.dynamo);
});

const callerOf = (role: 'admin' | 'analyst'): Caller => ({
  id: 'u',
  name: 'u',
  organizationId: 'o',
  kind: 'user',
  role,
});
const change = (id: string, patch: object, role: 'admin' | 'analyst' = 'admin') =>
  updateTask(world.table, id, { patch, ifMatch: undefined, caller: callerOf(role) });
const invalid = (path: string) => ({ code: 'validation_failed', details: [{ path }] });

/** The change is refused, and the task stays as it was. */
async function expectRefused(id: string, patch: object, error: object, role?: 'analyst') {
  const before = await world.read(id);
  await expect(change(id, patch, role)).rejects.toMatchObject(error);
  expect(await world.read(id)).toEqual(before);
}

describe('a new task is refused, and nothing of it stays', () => {
  test('when it depends on a task that is unknown, of another engagement, or of a campaign', async () => {
    const { id } = await world.make();
    const other = await world.engage(['10.0.0.1']);
    const foreign = await world.make({ engagementId: other.id });
    const [ofRun] = await world.run([{ key: 'a', type: 'reconnaissance' }]);
    const count = (await world.list()).length;
    for (const wrong of [newId(), foreign.id, ofRun?.id])
      await expect(world.make({ dependsOn: [id, wrong] })).rejects.toMatchObject(invalid('dependsOn.1'));
    expect(await world.list()).toHaveLength(count);
  });

  test('when one of those that it depends on failed or was cancelled', async () => {
    const [fine, lost] = [await world.make(), await world.make()];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await world.take();
      await world.end(lost.id, 'failed');
    }
    await world.end(fine.id);
    expect([(await world.read(fine.id)).status, (await world.read(lost.id)).status]).toEqual(['completed', 'failed']);
    const told = { code: 'conflict', message: expect.stringContaining(lost.id) };
    for (const dependsOn of [[fine.id, lost.id], [lost.id]])
      await expect(world.make({ dependsOn })).rejects.toMatchObject(told);
    expect(await world.make({ dependsOn: [fine.id] })).toMatchObject({ released: true, status: 'pending' });
    expect(await world.list()).toHaveLength(3);
  });

  test('when its engagement waits for approval or has ended', async () => {
    for (const status of ['requested', 'completed', 'cancelled'] as const) {
      await world.table.modify(engagements, world.engagementId, () => ({ status }));
      const told = { code: 'conflict', message: expect.stringContaining(status) };
      await expect(world.make()).rejects.toMatchObject(told);
    }
    expect(await world.list()).toEqual([]);
  });

  test('when it names an appliance that is unknown', async () => {
    await expect(world.make({ applianceId: newId() })).rejects.toMatchObject(invalid('applianceId'));
    expect(await world.list()).toEqual([]);
  });

  test('when as many tasks wait or run as may', async () => {
    const waiting = (await world.table.facets({ name: 'scan-task', shards: 1, together: false } as never, true)) ?? {};
    await world.table.rows(limitRows).put({ waitingTasks: (waiting['status:pending'] ?? 0) + 1 });
    const { id } = await world.make();
    await expect(world.make()).rejects.toMatchObject({ code: 'limit_exceeded' });
    await world.take();
    await expect(world.make()).rejects.toMatchObject({ code: 'limit_exceeded' });
    await world.end(id);
    await world.make();
  });
});

describe('a change is refused, and the task stays as it was', () => {
  test('once the task runs or has ended', async () => {
    const { id } = await world.make();
    await world.take();
    await expectRefused(id, { priority: 9 }, { code: 'conflict', message: expect.stringContaining('running') });
    await world.end(id);
    await expectRefused(id, { priority: 9 }, { code: 'conflict', message: expect.stringContaining('completed') });
    // what changes nothing is no change
    expect(await change(id, { priority: 5 })).toMatchObject({ status: 'completed' });
  });

  test('when it would lower the approval without the right to approve', async () => {
    const { id } = await world.make({ approval: 'required' });
    await expectRefused(id, { approval: 'none' }, { code: 'insufficient_scope' }, 'analyst');
    expect(await change(id, { approval: 'none' })).toMatchObject({ approval: 'none', released: true });
    expect(await change(id, { approval: 'required' }, 'analyst')).toMatchObject({ waitingReason: 'approval' });
    expect(await world.take()).toEqual([]);
  });

  test('when it would let exploitation go without approval, also by an admin', async () => {
    const { id } = await world.make({ type: 'exploitation' });
    await expectRefused(id, { approval: 'none' }, invalid('approval'));
    const { id: harmless } = await world.make({ approval: 'required' });
    expect(await change(harmless, { approval: 'none' })).toMatchObject({ approval: 'none' });
  });

  test('when the campaign of the task decides it', async () => {
    const [task] = await world.run([{ key: 'a', type: 'reconnaissance' }]);
    const [id, alone] = [task?.id ?? '', await world.make()];
    const told = { code: 'conflict', message: expect.stringContaining('campaign') };
    await expectRefused(id, { approval: 'required' }, told);
    await expectRefused(id, { dependsOn: [alone.id] }, told);
    expect(await change(id, { priority: 9, applianceId: world.applianceId })).toMatchObject({ priority: 9 });
  });

  test('when it would move a task for public appliances to an own one', async () => {
    const { id } = await world.make();
    const task = await world.table.modify(apexTasks, id, () => ({ usePublicApex: true }));
    await expectRefused(
      id,
      { applianceId: world.applianceId },
      { code: 'conflict', message: expect.stringContaining('public') },
    );
    expect(await change(task?.id ?? id, { title: 'Renamed' })).toMatchObject({ title: 'Renamed' });
  });

  test('when it names an appliance, a dependency or a target that it may not have', async () => {
    const other = await world.engage(['10.0.0.1']);
    const foreign = await world.make({ engagementId: other.id });
    const { id } = await world.make();
    await expectRefused(id, { applianceId: newId() }, invalid('applianceId'));
    await expectRefused(id, { dependsOn: [foreign.id] }, invalid('dependsOn.0'));
    await expectRefused(id, { targets: [{ type: 'host', value: '192.0.2.1', zone: null }] }, invalid('targets.0'));
    const targets = [{ type: 'host', value: '10.0.0.2', zone: null }];
    expect(await change(id, { targets, applianceId: world.applianceId })).toMatchObject({ targets });
    expect((await world.take()).map((task) => task.id)).toContain(id);
  });
});

test('an approval does not outlive a change of what was approved, also beside one that needs none', async () => {
  const { id } = await world.make({ approval: 'required' });
  const approve = () => approveTask(world.table, id, { body: {}, ifMatch: undefined });
  await approve();
  expect(await change(id, { title: 'Renamed', priority: 9 })).toMatchObject({ released: true });
  const changed = await change(id, { title: 'Again', objective: 'Something else.' });
  expect(changed).toMatchObject({ approvedBy: null, released: false, waitingReason: 'approval' });
  expect(await world.take()).toEqual([]);
  await approve();
  expect(await world.take()).toMatchObject([{ id, objective: 'Something else.' }]);
});

test('a task whose dependencies are changed waits for the new ones, and no more for the old', async () => {
  const [one, two] = [await world.make({ priority: 9 }), await world.make({ priority: 8 })];
  const { id } = await world.make({ dependsOn: [one.id] });
  expect(await change(id, { dependsOn: [two.id] })).toMatchObject({ waitingReason: 'dependencies', released: false });
  await world.take(2);
  await world.end(one.id);
  expect(await world.read(id)).toMatchObject({ released: false });
  await world.end(two.id);
  expect(await world.read(id)).toMatchObject({ released: true });
});

test('a task that is given a dependency leaves its queue, and goes at once when it loses the last one', async () => {
  const first = await world.make();
  const { id } = await world.make({ priority: 9 });
  const held = { waitingReason: 'dependencies', released: false };
  expect(await change(id, { dependsOn: [first.id] })).toMatchObject(held);
  expect((await world.take()).map((task) => task.id)).toEqual([first.id]);
  expect(await change(id, { dependsOn: [] })).toMatchObject({ waitingReason: null, released: true });
  expect((await world.take()).map((task) => task.id)).toEqual([id]);
});

test('of two changes at once by which two tasks would wait for each other one is refused', async () => {
  const [one, other] = [await world.make(), await world.make()];
  const dynamo = store.connect();
  overtakeOnce(dynamo, () => change(one.id, { dependsOn: [other.id] }));
  const patch = { patch: { dependsOn: [one.id] }, ifMatch: undefined, caller: callerOf('admin') };
  const late = updateTask(openTable(dynamo, world.table.organizationId), other.id, patch);
  await expect(late).rejects.toMatchObject(invalid('dependsOn'));
  expect((await world.read(other.id)).dependsOn).toEqual([]);
});

describe('a task is deleted', () => {
  const remove = (id: string, table = world.table) => deleteTask(world.connections, table, id);

  test('while it waits, and those that waited for it keep it from that', async () => {
    const first = await world.make();
    const second = await world.make({ dependsOn: [first.id] });
    await expect(remove(first.id)).rejects.toMatchObject({ code: 'conflict', details: [{ path: 'dependsOn' }] });
    expect(await world.read(first.id)).toMatchObject({ status: 'pending', released: true });
    await remove(second.id);
    await remove(first.id);
    expect(await world.list()).toEqual([]);
    expect(await world.take()).toEqual([]);
  });

  test('not while it runs', async () => {
    const { id } = await world.make();
    await world.take();
    await expect(remove(id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.read(id)).toMatchObject({ status: 'running', cancelRequestedAt: null });
  });

  test('not while the run of its campaign goes on, but after it', async () => {
    const [one, two] = await world.run([
      { key: 'a', type: 'reconnaissance' },
      { key: 'b', type: 'reconnaissance' },
    ]);
    const ids = [one?.id ?? '', two?.id ?? ''];
    await world.take(1);
    for (const id of ids) await world.end(id);
    for (const id of ids) await expect(remove(id)).rejects.toMatchObject({ code: 'conflict' });
    expect(await world.list()).toHaveLength(2);
    await world.take();
    for (const id of ids) await world.end(id);
    for (const id of ids) await remove(id);
    expect(await world.list()).toEqual([]);
  });

  test('not when an appliance takes it meanwhile: that one is asked to stop', async () => {
    const { id } = await world.make();
    const dynamo = store.connect();
    overtakeOnce(dynamo, () => world.take());
    const told = { code: 'conflict', message: expect.stringContaining('just leased') };
    await expect(remove(id, openTable(dynamo, world.table.organizationId))).rejects.toMatchObject(told);
    expect(await world.read(id)).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(String) });
    await world.end(id, 'cancelled');
    await remove(id);
    expect(await world.list()).toEqual([]);
  });
});
