import { expect, test } from 'vitest';
import { groupLimits, shareOf, withinLimits } from '#functions/scanning/scanner-communication/group-limits.ts';
import { queuesOf } from '#functions/scanning/scanner-communication/work-for.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { hintKey, workHints } from '#shared/scanning/scanner-tasks/queue.ts';
import type { ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { scannerGroups } from '#shared/scanning/scanners/scanner-group.ts';
import { scannerGroupDraft } from '../../../support/scanning.ts';
import { newWorld } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

test.each([
  ['each scanner its part of what waits', 'round_robin', { pending: 10, running: 0, online: 4, held: 0 }, 3],
  ['whatever it holds', 'round_robin', { pending: 10, running: 9, online: 4, held: 9 }, 3],
  [
    'at least one, so that the last task does not wait',
    'round_robin',
    { pending: 1, running: 0, online: 4, held: 0 },
    1,
  ],
  ['everything to the only one', 'round_robin', { pending: 10, running: 0, online: 1, held: 0 }, 10],
  ['everything while none counts as online yet', 'round_robin', { pending: 10, running: 0, online: 0, held: 0 }, 10],
  ['nothing to one that has its part', 'least_loaded', { pending: 2, running: 6, online: 2, held: 4 }, 0],
  ['the rest of its part to one that has less', 'least_loaded', { pending: 2, running: 6, online: 2, held: 2 }, 2],
  ['its part to one that is busy with other work', 'least_loaded', { pending: 4, running: 0, online: 2, held: 9 }, 2],
  ['everything to the only one', 'least_loaded', { pending: 5, running: 7, online: 1, held: 7 }, 5],
] as const)('%s (%s)', (_, dispatch, load, share) => {
  expect(shareOf(dispatch, load)).toBe(share);
});

test('a poll takes of each group as many tasks as its limit leaves, and all of those that have none', () => {
  const limit = (left: number) => ({ total: null, perOrganization: null, left });
  const tasks = ['a', 'b', 'a', null, 'a', 'b', 'deleted', null].map((scannerGroupId, n) => ({
    id: n,
    scannerGroupId,
  }));
  const limits = new Map([
    ['a', limit(2)],
    ['b', limit(0)],
  ]);
  const taken = withinLimits(tasks as unknown as ScannerTask[], limits);
  expect(taken.map(({ id }) => id)).toEqual([0, 2, 3, 6, 7]);
});

test('only groups in which something waits have limits, so that an idle poll reads none', async () => {
  const world = newWorld(store.dynamo);
  const newGroup = async (name: string) =>
    (await world.table.create(scannerGroups, scannerGroupDraft({ name, maxConcurrentTasks: 2 }))).id;
  const [busy, idle] = [await newGroup('Busy'), await newGroup('Idle')];
  const { id } = await world.link({ groupIds: [busy, idle] });
  const presence = await readMachinePresence(scannerMachines, world.table, id);
  if (!presence) throw new Error('a scanner that was linked');
  const limits = async () => {
    const hint = await world.table.rows(workHints).find(hintKey, true);
    return groupLimits(world.table, presence, { queues: queuesOf(presence), hint });
  };
  expect([...(await limits())]).toEqual([]);
  await world.engage(['10.0.0.1', '10.0.0.2', '10.0.0.3'], { scannerGroupId: busy });
  await world.engage(['10.0.0.4']);
  expect([...(await limits())]).toEqual([[busy, { total: 2, perOrganization: null, left: 2 }]]);
});
