import { beforeEach, describe, expect, test } from 'vitest';
import { approveTask, denyTask } from '#functions/apex/apex-tasks/decide.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { readApexPresence } from '#shared/apex/presence.ts';
import { cancelTask } from '#shared/apex/stop.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { injectFaults, overtakeOnce } from '../../../support/faults.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: ApexWorld;
beforeEach(async () => {
  world = await newApexWorld(store.dynamo);
});

const approve = (id: string, body: { reason?: string; version?: number } = {}) =>
  approveTask(world.table, id, { body, ifMatch: undefined });
const deny = (id: string, table: Table = world.table) =>
  denyTask(table, id, { body: { reason: 'too risky' }, ifMatch: undefined });
const commands = async () => (await readApexPresence(world.table, world.applianceId))?.commands;
const conflict = (message: RegExp) => ({ code: 'conflict', message: expect.stringMatching(message) });

const decisions = [
  ['approve', (id: string) => approve(id)],
  ['deny', (id: string) => deny(id)],
] as const;

describe.each(decisions)('to %s', (verb, decide) => {
  test('a task that needs no approval is refused, and it goes on', async () => {
    const { id } = await world.make();
    const before = await world.read(id);
    await expect(decide(id)).rejects.toMatchObject(conflict(new RegExp(`cannot ${verb}; it needs no approval`)));
    expect(await world.read(id)).toEqual(before);
    expect(await world.take()).toMatchObject([{ id }]);
  });

  test('a task that has ended is refused', async () => {
    const { id } = await world.make({ approval: 'required' });
    await cancelTask(world.table, id);
    const before = await world.read(id);
    await expect(decide(id)).rejects.toMatchObject(conflict(/is cancelled: .*; it is final/));
    expect(await world.read(id)).toEqual(before);
  });

  test('a running task sends a command to its appliance, and the task runs on', async () => {
    const { id } = await world.make();
    await world.take();
    expect(await decide(id)).toMatchObject({ status: 'running' });
    expect(await commands()).toMatchObject([{ type: verb, taskId: id }]);
    expect(await world.read(id)).toMatchObject({ status: 'running', approvedBy: null, cancelRequestedAt: null });
  });
});

test('an approval says by whom and why, to readers and to an appliance', async () => {
  const [waits, runs] = [await world.make({ approval: 'required' }), await world.make()];
  await world.take();
  const { name } = world.table.actor;
  expect(await approve(waits.id, { reason: 'the owner agreed' })).toMatchObject({
    approvedBy: { name, reason: 'the owner agreed' },
  });
  await approve(runs.id, { reason: 'go on' });
  expect(await commands()).toMatchObject([{ type: 'approve', reason: `by ${name}: go on` }]);
  await approve(runs.id);
  expect(await commands()).toMatchObject([{ type: 'approve', reason: `by ${name}` }]);
});

test('an approval whose next step breaks off releases the task all the same, a moment later', async () => {
  const clock = stopClock(Date.now());
  const { id } = await world.make({ approval: 'required' });
  const dynamo = store.connect();
  let transactions = 0;
  const before = (command: string) => {
    if (command.startsWith('Transact') && ++transactions > 1) throw new Error('injected outage');
  };
  injectFaults(dynamo, { random: () => 1, before });
  const broken = openTable(dynamo, world.table.organizationId);
  await expect(approveTask(broken, id, { body: {}, ifMatch: undefined })).rejects.toThrow('injected outage');
  expect(await world.read(id)).toMatchObject({ released: false, approvedBy: expect.anything() });
  clock.pass(3600);
  await sweep(world.connections);
  setClock();
  expect(await world.read(id)).toMatchObject({ released: true });
});

test('a task that is approved twice is what the first approval made it', async () => {
  const { id } = await world.make({ approval: 'required' });
  await approve(id, { reason: 'first' });
  const first = await world.read(id);
  await approve(id, { reason: 'second' });
  expect(await world.read(id)).toEqual(first);
  expect(first).toMatchObject({ released: true, approvedBy: { reason: 'first' } });
});

test('an approved task cannot be denied: it still runs', async () => {
  const { id } = await world.make({ approval: 'required' });
  await approve(id);
  await expect(deny(id)).rejects.toMatchObject(conflict(/approved already/));
  expect(await world.take()).toMatchObject([{ id }]);
  // one that runs may be stopped, approved or not
  await deny(id);
  expect(await commands()).toMatchObject([{ type: 'deny', taskId: id, reason: 'too risky' }]);
});

test('a task that is approved while it is denied stays approved', async () => {
  const { id } = await world.make({ approval: 'required' });
  const dynamo = store.connect();
  overtakeOnce(dynamo, () => approve(id));
  await expect(deny(id, openTable(dynamo, world.table.organizationId))).rejects.toMatchObject(
    conflict(/approved already/),
  );
  expect(await world.read(id)).toMatchObject({ status: 'pending', released: true });
});

test('those that wait for a denied task are cancelled with it', async () => {
  const { id } = await world.make({ approval: 'required' });
  const next = await world.make({ dependsOn: [id] });
  expect(await deny(id)).toMatchObject({ status: 'cancelled', error: { code: 'denied', message: 'too risky' } });
  expect(await world.read(next.id)).toMatchObject({ status: 'cancelled', error: { code: 'dependency_failed' } });
});

test('a decision about another version than the present one is refused', async () => {
  const { id, version } = await world.make({ approval: 'required' });
  await expect(approve(id, { version: version + 1 })).rejects.toMatchObject({ code: 'conflict' });
  const denial = { body: { reason: 'x', version: version + 1 }, ifMatch: undefined };
  await expect(denyTask(world.table, id, denial)).rejects.toMatchObject({ code: 'conflict' });
  expect(await world.read(id)).toMatchObject({ approvedBy: null, version });
});

test('a task of a campaign that is approved begins', async () => {
  const [task] = await world.run([{ key: 'a', type: 'exploitation' }]);
  expect(task).toMatchObject({ released: false, waitingReason: 'approval' });
  expect(await approve(task?.id ?? '')).toMatchObject({ released: true });
  expect(await world.take()).toMatchObject([{ id: task?.id }]);
});

test('a denial about another version of a task that runs now does not reach its appliance', async () => {
  const { id, version } = await world.make();
  await world.take();
  const read = { body: { reason: 'x', version }, ifMatch: undefined };
  await expect(denyTask(world.table, id, read)).rejects.toMatchObject({ code: 'conflict' });
  expect(await commands()).toEqual([]);
});
