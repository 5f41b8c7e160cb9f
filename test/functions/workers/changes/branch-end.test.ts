import { afterAll, afterEach, expect, test } from 'vitest';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { changeSettings } from '#shared/organizations/change-settings.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { codeScan, type Problem, sarif } from '../imports/reports.ts';
import { startWorld } from '../imports/world.ts';

const world = await startWorld();
afterAll(() => world.stop());
afterEach(() => setClock());

const DAY_MS = 86_400_000;
const all = { paginateFrom: 0, paginateSize: 10 };
const problem = (name: string): Problem => ({ rule: name, file: `src/${name}.ts` });

/** A default branch, and another one that has one finding more. */
async function startShop(): Promise<Table> {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif([problem('a')]), { ref: 'main' }));
  await world.ingest(table, codeScan(sarif([problem('a'), problem('x')]), { ref: 'feature' }));
  return table;
}

/** Lets days pass, with the sweeper at the end of each. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    const at = nowMs() + DAY_MS + 1000;
    setClock(() => at);
    await sweep(world.connections);
    await world.drain();
  }
}

/** The branches that have not ended, and the status of what only branches beside the default one have. */
async function current(table: Table): Promise<string[]> {
  const { data: known } = await table.list(branches, all);
  const { data: found } = await table.list(branchFindings, all);
  return [
    ...known.map(({ name, endedAt }) => `${name} ${endedAt ? 'ended' : 'lives'}`),
    ...found.map(({ ruleId, status }) => `${ruleId} ${status}`),
  ];
}

test('a branch that nobody scans for 30 days ends, and is removed 30 days later with what only it had', async () => {
  const table = await startShop();
  await pass(29);
  expect(await current(table)).toEqual(['feature lives', 'main lives', 'x open']);
  await pass(1);
  expect(await current(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
  await pass(29);
  expect(await current(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
  await pass(2);
  expect(await current(table)).toEqual(['main lives']);
});

test('an organization that shortens the life of branches need not wait until current branches are old', async () => {
  const table = await startShop();
  await pass(5);
  await changeSettings(table, { branchDays: 3 });
  await pass(1);
  expect(await current(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
});

test('an organization that prolongs the life of branches loses no current one', async () => {
  const table = await startShop();
  await pass(28);
  await changeSettings(table, { branchDays: 60 });
  await pass(31);
  expect(await current(table)).toEqual(['feature lives', 'main lives', 'x open']);
  await pass(1);
  expect(await current(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
});

/** Ends or removes the branch with this name. */
async function end(table: Table, name: string, isRemoved: boolean) {
  const { data } = await table.list(branches, all);
  const input = { branchId: data.find((one) => one.name === name)?.id, isRemoved };
  const { taskId } = await queueMany({ connections: world.connections, table }, { operation: 'end_branch', input });
  await world.drain();
  return (await world.task(table, taskId)).result;
}

test('what people decided about the findings of a branch stays when it ends', async () => {
  const table = await startShop();
  await world.ingest(table, codeScan(sarif(['a', 'x', 'y'].map(problem)), { ref: 'feature' }));
  const { data } = await table.list(branchFindings, all);
  const dismissed = data.find(({ ruleId }) => ruleId === 'y');
  await table.modify(branchFindings, dismissed?.id ?? '', () => ({ status: 'false_positive' as const }));
  expect(await end(table, 'feature', false)).toMatchObject({ matched: 2, changed: 1 });
  expect((await current(table)).sort()).toEqual(['feature ended', 'main lives', 'x fixed', 'y false_positive']);
});

test('a branch that became the default one is not ended, and goes with its repository', async () => {
  const table = await startShop();
  const before = await current(table);
  expect(await end(table, 'main', false)).toMatchObject({ matched: 0, changed: 0 });
  expect(await current(table)).toEqual(before);
  expect(await end(table, 'main', true)).toMatchObject({ matched: 0 });
  expect(await current(table)).toEqual(before.filter((one) => one !== 'main lives'));
});

test('the end of many findings of a branch is noted once all are closed', async () => {
  const table = world.newOrganization();
  await world.ingest(table, codeScan(sarif([]), { ref: 'main' }));
  const many = Array.from({ length: 600 }, (_, n) => problem(`x-${n}`));
  await world.ingest(table, codeScan(sarif(many), { ref: 'feature' }));
  const { data } = await table.list(branches, all);
  const branchId = data.find(({ name }) => name === 'feature')?.id;
  const queued = await queueMany(
    { connections: world.connections, table },
    {
      operation: 'end_branch',
      input: { branchId, isRemoved: false },
    },
  );
  let time = Date.now();
  setClock(() => {
    time += 1_000;
    return time;
  });
  expect(await world.deliver()).toBe(true);
  expect(await world.task(table, queued.taskId)).toMatchObject({ status: 'running' });
  expect((await current(table)).slice(0, 2)).toEqual(['feature lives', 'main lives']);
  await world.drain();
  expect((await current(table)).slice(0, 2)).toEqual(['feature ended', 'main lives']);
  expect((await world.task(table, queued.taskId)).result).toMatchObject({ matched: 600, changed: 600 });
});
