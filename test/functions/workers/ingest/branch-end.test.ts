import { afterAll, afterEach, expect, test } from 'vitest';
import { changeSettings } from '#functions/config/change-settings.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { branches } from '#shared/entities/branch.ts';
import { branchFindings } from '#shared/entities/branch-finding.ts';
import { nowMs, setClock } from '#shared/runtime/clock.ts';
import type { Table } from '#shared/table/table.ts';
import { codeScan, type Problem, sarif } from './reports.ts';
import { startWorld } from './world.ts';

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
async function standing(table: Table): Promise<string[]> {
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
  expect(await standing(table)).toEqual(['feature lives', 'main lives', 'x open']);
  await pass(1);
  expect(await standing(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
  await pass(29);
  expect(await standing(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
  await pass(2);
  expect(await standing(table)).toEqual(['main lives']);
});

test('an organization that shortens the life of branches need not wait for those that stand to grow old first', async () => {
  const table = await startShop();
  await pass(5);
  await changeSettings(table, { branchDays: 3 });
  await pass(1);
  expect(await standing(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
});

test('an organization that prolongs the life of branches loses none that stands', async () => {
  const table = await startShop();
  await pass(28);
  await changeSettings(table, { branchDays: 60 });
  await pass(31);
  expect(await standing(table)).toEqual(['feature lives', 'main lives', 'x open']);
  await pass(1);
  expect(await standing(table)).toEqual(['feature ended', 'main lives', 'x fixed']);
});
