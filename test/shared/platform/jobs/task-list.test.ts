import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { OPERATION_NAMES } from '#shared/platform/jobs/operations.ts';
import { newTask, newTaskWrites, TASK_STATUSES, type TaskRow } from '#shared/platform/jobs/task.ts';
import { listTasks, type TaskQuery } from '#shared/platform/jobs/task-list.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { actor } from '../../../support/actor.ts';
import { newOrganization, useStore } from '../../../support/store.ts';
import { runs } from '../../../support/tier.ts';

const store = useStore();
const OPERATIONS = ['ingest_report', 'create_engagement', 'audit_verify'] as const;
const OWNERS = ['scanner', 'person'];

const made = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  owner: fc.constantFrom(...OWNERS),
  status: fc.constantFrom(...TASK_STATUSES),
  // several tasks are made in the same millisecond
  second: fc.nat(8),
});
type Made = { operation: (typeof OPERATIONS)[number]; owner: string; status: TaskRow['status']; second: number };

let meter: ReturnType<typeof attachMeter>;
beforeAll(() => {
  meter = attachMeter(store.dynamo);
});

const start = nowMs() - 60_000;

async function makeTasks(table: Table, all: readonly Made[]): Promise<TaskRow[]> {
  const tasks = all.map(({ operation, owner, status, second }) => {
    const createdAt = new Date(start + second * 1000).toISOString();
    return { ...newTask(actor(owner), { operation, job: 'ingest', unit: 'things', input: {} }), status, createdAt };
  });
  for (const task of tasks) {
    const batch = table.batch();
    batch.write(...newTaskWrites(table, task));
    await batch.commit();
  }
  return tasks;
}

const newestFirst = (a: TaskRow, b: TaskRow) => (`${a.createdAt}_${a.id}` < `${b.createdAt}_${b.id}` ? 1 : -1);

const filters = fc.record(
  {
    operations: fc.oneof(
      fc.subarray([...OPERATIONS], { minLength: 1 }),
      fc.constant(OPERATION_NAMES),
      fc.constant(OPERATION_NAMES.filter((name) => name !== 'audit_verify')),
    ),
    owner: fc.constantFrom(...OWNERS),
    status: fc.subarray([...TASK_STATUSES], { minLength: 1 }),
    since: fc.nat(8).map((second) => new Date(start + second * 1000).toISOString()),
  },
  { requiredKeys: ['operations'] },
);

const fits =
  ({ operations, owner, status, since }: Omit<TaskQuery, 'limit'>) =>
  (task: TaskRow) =>
    operations.some((operation) => operation === task.operation) &&
    (owner === undefined || task.owner === owner) &&
    (status?.includes(task.status) ?? true) &&
    (since === undefined || task.createdAt >= since);

test('who pages through the tasks meets each once, newest first, while others are made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(made, { maxLength: 25 }),
      filters,
      fc.integer({ min: 1, max: 9 }),
      async (all, query, limit) => {
        const [table, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
        const [tasks] = await Promise.all([makeTasks(table, all), makeTasks(other, all.slice(0, 3))]);
        const seen: string[] = [];
        for (let before: string | null | undefined; before !== null; ) {
          const page = await listTasks(table, { ...query, limit, ...(before !== undefined && { before }) });
          expect(page.data.length).toBeLessThanOrEqual(limit);
          seen.push(...page.data.map(({ id }) => id));
          before = page.next;
          await makeTasks(table, [{ operation: 'ingest_report', owner: 'person', status: 'queued', second: 20 }]);
        }
        expect(seen).toEqual(
          tasks
            .filter(fits(query))
            .sort(newestFirst)
            .map(({ id }) => id),
        );
      },
    ),
    { numRuns: runs(4, 20) },
  );
});

test('a filter that matches nothing reads a hundred tasks for a page, not the month of them', async () => {
  const table = newOrganization(store.dynamo);
  const some = { operation: 'ingest_report', owner: 'person', status: 'succeeded' } as const;
  await makeTasks(
    table,
    Array.from({ length: 130 }, (_, second) => ({ ...some, second })),
  );
  const query = { operations: OPERATIONS, status: ['running' as const], limit: 50 };
  const { readUnits } = await meter.measure(async () => {
    const page = await listTasks(table, query);
    expect(page).toEqual({ data: [], next: expect.any(String) });
    const last = await listTasks(table, { ...query, before: page.next ?? newId() });
    expect(last).toEqual({ data: [], next: null });
  });
  expect(readUnits).toBeLessThan(130 + 10);
});

test('who may read every task pays for those that are shown, not for a look at each operation', async () => {
  const table = newOrganization(store.dynamo);
  const all = OPERATIONS.map((operation) => ({ operation, owner: 'person', status: 'queued' as const, second: 0 }));
  const tasks = await makeTasks(table, all);
  const { readUnits } = await meter.measure(async () => {
    const page = await listTasks(table, { operations: OPERATION_NAMES, limit: 25 });
    expect(page).toEqual({ data: tasks.toSorted(newestFirst), next: null });
  });
  expect(readUnits).toBeLessThanOrEqual(OPERATIONS.length + 1);
});
