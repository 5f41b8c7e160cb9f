import { beforeEach, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { holderOf, ownerByLease, sharedLeaseWrites } from '#shared/scanning/scanner-tasks/shared-lease.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let provider: Table;
let client: Table;
beforeEach(() => {
  clock = stopClock();
  [provider, client] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
});

const machineId = newId();
const ownerOf = async (taskId: string, lease?: { organizationId?: string }) =>
  (await ownerByLease(provider, { machineId, taskId }, lease)).organizationId;

async function give(owner: Table, ids: string[]): Promise<void> {
  const batch = provider.batch();
  batch.write(...sharedLeaseWrites(provider, machineId, { owner, ids }));
  await batch.commit();
}

test("a machine may ask about another organization's task for thirty days, and about no other task of it", async () => {
  const [one, two] = [newId(), newId()];
  await give(client, [one, two]);
  const day = 86_400;
  clock.pass(30 * day - 1);
  expect([await ownerOf(one), await ownerOf(two)]).toEqual([client.organizationId, client.organizationId]);
  expect(await ownerOf(newId())).toBe(provider.organizationId);
  clock.pass(1);
  expect(await ownerOf(one)).toBe(provider.organizationId);
});

test('the lease that a machine holds says whose its task is, whatever it had before', async () => {
  const taskId = newId();
  await give(client, [taskId]);
  const other = newId();
  expect(await ownerOf(taskId, { organizationId: other })).toBe(other);
  expect(await ownerOf(taskId, {})).toBe(provider.organizationId);
});

test('tasks of its own organization are not noted', () => {
  expect(sharedLeaseWrites(provider, machineId, { owner: provider, ids: [newId()] })).toEqual([]);
});

test("the machine of a task is in the provider's organization, otherwise in the task's", () => {
  const { organizationId: providerId } = provider;
  const holders = [{ providerId }, { providerId: null }, {}].map((task) => holderOf(client, task).organizationId);
  expect(holders).toEqual([providerId, client.organizationId, client.organizationId]);
});
