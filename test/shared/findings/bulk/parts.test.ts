import { afterAll, expect, test } from 'vitest';
import type { Item } from '#shared/findings/bulk/found.ts';
import { type Part, workParts } from '#shared/findings/bulk/slices.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { codeScan, sarif } from '../../../functions/workers/imports/reports.ts';
import { startWorld } from '../../../functions/workers/imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());

test('each part of a task decides on the records that it selected, and its result names them', async () => {
  const table = world.newOrganization();
  const task = await world.task(table, await world.accept(table, codeScan(sarif([]))));
  const [first, second] = [[newId(), newId()], [newId()]];
  const seen: { part: string; items: readonly Item[] }[] = [];
  const part = (name: string, selected: readonly string[]): Part => ({
    select: async (before) => {
      seen.push({ part: `before ${name}`, items: before });
      return selected;
    },
    decide: async (items) => {
      seen.push({ part: name, items });
      return items.map(() => ({ outcome: 'unchanged' as const }));
    },
    collections: [],
  });
  const work = { table, connections: world.connections, task } as unknown as Work;
  const results = await workParts(work, [part('one', first), part('two', second)]);
  expect(seen).toEqual([
    { part: 'before one', items: [] },
    { part: 'one', items: first },
    { part: 'before two', items: first },
    { part: 'two', items: second },
  ]);
  const told = (ids: readonly string[]) => ids.map((id) => ({ id, outcome: 'unchanged' }));
  expect(results).toMatchObject([
    { matched: 2, unchanged: 2, changed: 0, refusedCount: 0, results: told(first) },
    { matched: 1, unchanged: 1, changed: 0, refusedCount: 0, results: told(second) },
  ]);
  expect(await table.rows(taskRows).find({ id: task.id })).toMatchObject({ progress: { done: 1, total: 1 } });
});
