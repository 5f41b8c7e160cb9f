import { expect, test } from 'vitest';
import { apexTaskHandlers } from '#functions/apex/apex-tasks/handlers.ts';
import { type ApexTask, apexTasks } from '#shared/apex/apex-task.ts';
import { newApexWorld } from '../../../support/apex-world.ts';
import { useStore } from '../../../support/store.ts';

const store = useStore();

test.each<[ApexTask['status'], Partial<ApexTask>]>([
  ['completed', { status: 'pending', released: true }],
  ['failed', { status: 'cancelled', error: expect.objectContaining({ code: 'dependency_failed' }) }],
  ['running', { status: 'pending', released: false, waitingReason: 'dependencies' }],
])(
  'whoever looks at a task whose dependency is %s sees what follows, though nothing was told of it',
  async (status, seen) => {
    const { table, make, read } = await newApexWorld(store.dynamo);
    const { id: dependency } = await make();
    const { id } = await make({ dependsOn: [dependency] });
    await table.modify(apexTasks, dependency, () => ({ status }));
    expect(await read(id)).toMatchObject({ status: 'pending', released: false });
    const shown = await apexTaskHandlers.getApexTask({ table, params: { id } } as never);
    expect(shown).toMatchObject(seen);
    expect(await read(id)).toMatchObject({ status: seen.status });
  },
);
