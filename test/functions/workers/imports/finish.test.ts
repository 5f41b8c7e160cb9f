import { afterAll, expect, test } from 'vitest';
import { endTask } from '#functions/workers/imports/finish.ts';
import { readScope } from '#shared/findings/view/scan-scope.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { codeScan, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());

test('a task that lost its scope ends nothing: the state of the scope is of the task that holds it now', async () => {
  const table = world.newOrganization();
  const task = await world.task(table, await world.accept(table, codeScan(sarif([]))));
  const work = { table, connections: world.connections, task } as unknown as Work;
  const scope = newId();
  const end = { task: { status: 'failed' as const, error: { code: 'x', message: 'x' } } };
  await expect(
    endTask(work, scope, { ...end, scanned: { left: { stateKey: 'old', sightings: undefined } } }),
  ).rejects.toThrow(/lost its scope/);
  expect(await world.task(table, task.id)).toMatchObject({ status: 'queued' });
  expect(await readScope(table, scope)).not.toHaveProperty('stateKey', 'old');
});
