import { afterAll, expect, test } from 'vitest';
import { newIdAt } from '#shared/platform/runtime/ids.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import { rowKey } from '#shared/platform/table/io/row.ts';
import { pendingRows } from '#shared/scanning/scanner-tasks/queue.ts';
import { attachMeter } from '../../../../bench/meter.ts';
import { codeScan, problems, repository, sarif } from './reports.ts';
import { startWorld } from './world.ts';

const world = await startWorld();
afterAll(() => world.stop());
const meter = attachMeter(world.connections.dynamo);

/** An import of another organization. */
const units = async () => {
  const table = world.newOrganization();
  const { readUnits, writeUnits } = await meter.measure(() => world.ingest(table, codeScan(sarif(problems(20)))));
  return { readUnits, writeUnits };
};

test("50,000 tasks and 100 imports of one organization that wait cost another's import nothing", async () => {
  await units(); // the first one reads what a process reads once
  const alone = await units();
  const busy = world.newOrganization();
  const put = Array.from({ length: 50_000 }, (_, n) => {
    const row = { queue: 'network||', taskId: newIdAt(n) };
    return { ...row, ...rowKey(busy.tenant, pendingRows, row) };
  });
  for (let n = 0; n < put.length; n += 1000) await writeRows(busy.dynamo, { put: put.slice(n, n + 1000) });
  for (let n = 0; n < 100; n++)
    await world.accept(busy, codeScan(sarif(problems(1)), { target: repository(`shop-${n}`) }));
  world.messages.length = 0; // they wait in a message group of their own
  expect(await units()).toEqual(alone);
});
