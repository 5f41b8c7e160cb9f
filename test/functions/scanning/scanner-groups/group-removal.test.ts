import { expect, test } from 'vitest';
import { scannerGroupHandlers } from '#functions/scanning/scanner-groups/handlers.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { membersOf } from '#shared/scanning/fleet/groups.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { createEngagementTask, requestEngagement, runWorker } from '../../../support/engagement-worker.ts';
import { overtakeOnce } from '../../../support/faults.ts';
import { scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

/** A task in a group that is gone would wait for ever. */
const store = useStore();

async function groupWithScanner() {
  const world = newWorld(store.dynamo);
  const group = await world.table.create(scannerGroups, scannerGroupDraft({ routing: ['10.0.0.0/24'] }));
  await world.link({ groupIds: [group.id] });
  return { world, group };
}

const remove = (table: Table, id: string) =>
  scannerGroupHandlers.deleteGroup({ table, params: { id } } as Parameters<typeof scannerGroupHandlers.deleteGroup>[0]);

/** Of the same organization a connection of its own, before whose first transaction something else happens. */
function overtaken(table: Table, meanwhile: () => Promise<unknown>, part?: string): Table {
  const dynamo = store.connect();
  overtakeOnce(dynamo, meanwhile, part);
  return openTable(dynamo, table.organizationId, table.actor);
}

test('a group that gets tasks during its removal stays, with its scanners', async () => {
  const { world, group } = await groupWithScanner();
  const table = overtaken(world.table, () => createEngagementTask(world, { targets: ['10.0.0.1'] }));
  await expect(remove(table, group.id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await membersOf(world.table, group.id)).toMatchObject({ scanners: { total: 1 } });
  expect(await world.tasks()).toMatchObject([{ scannerGroupId: group.id }]);
});

test('tasks whose group is removed while they are made go to the scanners without a group', async () => {
  const { world, group } = await groupWithScanner();
  const { task } = await requestEngagement(world, { targets: ['10.0.0.1'] });
  const table = overtaken(world.table, async () => remove(world.table, group.id), '"ConditionCheck"');
  await expect(runWorker({ ...world, table }, task.id)).rejects.toThrow('was removed');
  expect(await world.tasks()).toEqual([]);
  await runWorker(world, task.id);
  expect(await world.tasks()).toMatchObject([{ scannerGroupId: null }]);
});

test('an engagement whose group is gone fails with that reason instead of making tasks that no scanner takes', async () => {
  const world = newWorld(store.dynamo);
  const { engagement, task } = await requestEngagement(world, { targets: ['10.0.0.1'], scannerGroupId: newId() });
  await expect(runWorker(world, task.id)).rejects.toMatchObject({ code: 'conflict' });
  expect(await world.table.get(engagements, engagement.id)).toMatchObject({
    status: 'failed',
    statusReason: expect.stringContaining('was removed'),
  });
});
