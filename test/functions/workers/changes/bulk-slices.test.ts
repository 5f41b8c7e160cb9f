import { afterAll, afterEach, expect, test } from 'vitest';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { UNDOES, undoUpdate } from '#shared/findings/bulk/undo-update.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { expectSound } from '../imports/expectations.ts';
import { codeScan, problems, repository, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

test('a small report waits for a slice of a change of many findings, not for its end', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif(problems(1_200))));
  const { taskId } = await queueMany(
    { connections: world.connections, table },
    {
      operation: 'update_findings',
      wanted: { selection: { filter: { status: 'open' } } },
      input: { changes: { status: 'out_of_scope' }, approver: { id: 'ann', name: 'Ann' } },
    },
  );
  const small = await world.accept(table, codeScan(sarif(problems(1, 5_000)), { target: repository('small') }));
  let time = Date.now();
  setClock(() => {
    time += 1_000;
    return time;
  });
  for (let n = 0; n < 2; n++) expect(await world.deliver()).toBe(true);
  expect(await world.task(table, small)).toMatchObject({ status: 'succeeded', result: { created: 1 } });
  const { status, progress } = await world.task(table, taskId);
  expect({ status, progress }).toEqual({ status: 'running', progress: { done: 500, total: 1_200, unit: 'findings' } });
  await expect(
    undoUpdate({ connections: world.connections, table }, UNDOES.undoFindingsUpdate, taskId),
  ).rejects.toThrow('is under way: wait for the end');
  await world.drain();
  expect(await world.task(table, taskId)).toMatchObject({ status: 'succeeded', result: { changed: 1_200 } });
  expect(await table.facets(findings)).toMatchObject({ 'status:open': 1, 'status:out_of_scope': 1_200 });
  await expectSound(table);
  time += 86_400_000;
  await expect(
    undoUpdate({ connections: world.connections, table }, UNDOES.undoFindingsUpdate, taskId),
  ).rejects.toThrow('a change can be undone for a day');
});
