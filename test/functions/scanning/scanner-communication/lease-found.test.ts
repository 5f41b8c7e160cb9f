import { beforeEach, expect, test } from 'vitest';
import { now } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { readUsage } from '#shared/scanning/scanner-tasks/usage.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { putPool, scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld, stopClock, type World } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();
let world: World;
beforeEach(() => {
  stopClock();
  world = newWorld(store.dynamo);
});

const host = (value: string) => ({ type: 'host' as const, value, zone: null });

/** A scanner's answer about the only task that waits, which has these fields. */
async function toldOf(fields: object) {
  const { id } = await world.link();
  await world.engage(['10.0.0.0/24']);
  const [task] = await world.tasks();
  await world.table.modify(scannerTasks, task?.id ?? '', () => fields as Partial<ScannerTask>);
  const [told] = (await world.poll(id)).tasks;
  return { taskId: task?.id, told };
}

test('a scanner gets the exclusions, and a scanner of the organization itself may go anywhere', async () => {
  const { told } = await toldOf({ exclusions: [host('10.0.0.9')] });
  expect(told).toMatchObject({ exclusions: [host('10.0.0.9')], attempt: 1 });
  expect(told).not.toHaveProperty('publicOnly');
});

test('a scanner of a pool must stay on the public network', async () => {
  const poolId = newId();
  await putPool(store.dynamo, { poolId, providerId: world.table.organizationId });
  const { id } = await world.link({ publicGroupIds: [poolId] });
  await world.engage(['192.0.2.1'], { more: { publicScannerGroupId: poolId } });
  const [told] = (await world.poll(id)).tasks;
  expect(told).toMatchObject({ publicOnly: true });
  expect(told).not.toHaveProperty('exclusions');
});

const branch = { repositoryId: newId(), branchId: newId() };
test.each<[string, object, boolean]>([
  ['needs none', {}, false],
  ['names no credentials', { credentialIds: [] }, false],
  ['logs in', { credentialIds: [newId()] }, true],
  ['clones without a token', { codeScan: { ...branch, cloneToken: false } }, false],
  ['clones with a token', { codeScan: { ...branch, cloneToken: true } }, true],
])('a scanner is told where its secrets are if there are some: a task that %s', async (_, fields, has) => {
  const { taskId, told } = await toldOf(fields);
  const secretsUrl = `/api/v1/scanner_communication/tasks/${taskId}/secrets`;
  expect(told?.secretsUrl).toBe(has ? secretsUrl : undefined);
});

test('of several tasks those that may not begin are cancelled, and the others are leased and counted', async () => {
  const { id: scannerGroupId } = await world.table.create(scannerGroups, scannerGroupDraft());
  const { id } = await world.link({ groupIds: [scannerGroupId], name: 'Rack 4' });
  await world.poll(id, { capacity: 0 });
  await world.engage(['10.0.0.1', '10.0.0.2', '10.0.0.3'], { scannerGroupId });
  const [refused] = await world.tasks();
  await world.table.modify(scannerTasks, refused?.id ?? '', () => ({ target: host('10.0.0.1-9') }));
  expect((await world.poll(id, { capacity: 3 })).tasks).toHaveLength(2);
  const tasks = await world.tasks();
  const ended = tasks.filter((task) => task.id === refused?.id);
  expect(ended).toMatchObject([{ status: 'cancelled', attempt: 0, error: { code: 'not_allowed' } }]);
  const running = { status: 'running', attempt: 1, scanner: { id, name: 'Rack 4' }, startedAt: now() };
  expect(tasks.filter((task) => task.id !== refused?.id)).toMatchObject([running, running]);
  expect(await readUsage(world.table, { groupId: scannerGroupId, owner: '*' })).toBe(2);
});
