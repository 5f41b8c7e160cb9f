import { beforeEach, expect, test } from 'vitest';
import { limitRows } from '#shared/platform/quotas/limits.ts';
import {
  admitRecords,
  giveUpPlace,
  othersHold,
  placeRows,
  readUse,
  takePlace,
  usePlaces,
} from '#shared/platform/quotas/places.ts';
import type { OrganizationLimits, PlaceKind } from '#shared/platform/quotas/quotas.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { newApexWorld } from '../../../support/apex-world.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let table: Table;
let clock: ReturnType<typeof stopClock>;
beforeEach(() => {
  clock = stopClock();
  table = newOrganization(store.dynamo);
});

const limit = (limits: Partial<OrganizationLimits>) => table.rows(limitRows).put(limits);

type More = { id?: string; amount?: number; until?: string | null };
async function take(kind: PlaceKind, { id = newId(), amount, until = null }: More = {}): Promise<string> {
  const batch = table.batch();
  await takePlace(table, batch, { kind, id, amount, until });
  await batch.commit();
  return id;
}
const used = async (name: keyof OrganizationLimits) => (await readUse(table)).get(name);

test('one who asks whether others hold places does not count itself, nor places that lapsed or were given up', async () => {
  const id = await take('imports', { until: inSeconds(600) });
  const hold = () => othersHold(table, { kind: 'imports', id });
  expect(await othersHold(table, { kind: 'exports', id })).toBe(false);
  expect(await hold()).toBe(false);
  await take('imports', { until: inSeconds(60) });
  const other = await take('imports', { until: inSeconds(30) });
  expect(await hold()).toBe(true);
  await giveUpPlace(table, 'imports', other);
  clock.pass(59.999);
  expect(await hold()).toBe(true);
  clock.pass(0.001);
  expect(await hold()).toBe(false);
  expect(await othersHold(table, { kind: 'imports', id: newId() })).toBe(true);
});

test('a place is held until the moment at which it lapses, and one without an end for good', async () => {
  await limit({ linkTokens: 2 });
  await take('link-tokens', { until: inSeconds(60) });
  await take('link-tokens');
  clock.pass(59.999);
  await expect(take('link-tokens')).rejects.toMatchObject({ code: 'limit_exceeded' });
  clock.pass(0.001);
  expect(await used('linkTokens')).toBe(1);
  await take('link-tokens');
  clock.pass(400 * 86_400);
  expect(await used('linkTokens')).toBe(2);
});

test('a refusal names the time at which enough has lapsed, not the first nor the last', async () => {
  await limit({ openUploadBytes: 100 });
  const until = [3, 1, 2, 4].map((hours) => inSeconds(hours * 3600));
  for (const [n, amount] of [10, 20, 30, 40].entries()) await take('uploads', { amount, until: until[n] });
  const told = (amount: number) =>
    take('uploads', { amount }).catch(({ message }) => / at (\S+)\. Admin/.exec(message)?.[1]);
  expect(await told(20)).toBe(until[1]);
  expect(await told(21)).toBe(until[2]);
  expect(await told(50)).toBe(until[2]);
  expect(await told(51)).toBe(until[0]);
  expect(await told(100)).toBe(until[3]);
});

test('a refusal names no time when even all that lapses is not enough', async () => {
  await limit({ openUploadBytes: 100 });
  await take('uploads', { amount: 60, until: inSeconds(60) });
  await take('uploads', { amount: 40 });
  const refusal = (amount: number) => take('uploads', { amount }).catch(({ message }) => message);
  expect(await refusal(60)).toContain('at the latest at');
  expect(await refusal(61)).not.toContain('at the latest at');
});

test('one who takes what it holds already takes nothing, also when nothing is left', async () => {
  await limit({ waitingTasks: 10 });
  const id = await take('tasks', { amount: 10 });
  for (const amount of [10, 4]) await take('tasks', { id, amount });
  expect(await used('waitingTasks')).toBe(10);
  await expect(take('tasks')).rejects.toMatchObject({ code: 'limit_exceeded' });
});

test('places that are exchanged for records do not count beside them, and others stay', async () => {
  const [one, other] = [await take('tasks', { amount: 6 }), await take('tasks', { amount: 3 })];
  const exchange = async (id: string, amount: number) => {
    const batch = table.batch();
    batch.write(usePlaces(table.tenant, { kind: 'tasks', id, amount }));
    await batch.commit();
  };
  await exchange(one, 2);
  expect(await used('waitingTasks')).toBe(7);
  await exchange(one, 4);
  await exchange(other, 1);
  expect(await used('waitingTasks')).toBe(2);
});

test('records that count themselves hold no place, and are refused beyond the limit', async () => {
  await limit({ waitingTasks: 3 });
  await take('tasks', { amount: 2 });
  const admit = async (amount: number) => {
    const batch = table.batch();
    await admitRecords(table, batch, { kind: 'tasks', amount });
    await batch.commit();
  };
  await expect(admit(2)).rejects.toMatchObject({ code: 'limit_exceeded' });
  await admit(1);
  expect(await used('waitingTasks')).toBe(2);
});

test('many places that lapsed at once leave the row with the next ones that are taken', async () => {
  for (let n = 0; n < 102; n++) await take('link-tokens', { until: inSeconds(60) });
  clock.pass(60);
  const left = async () => {
    await take('link-tokens');
    const row = (await table.rows(placeRows).find({ kind: 'link-tokens' }, true)) ?? {};
    return Object.keys(row).filter((name) => name.startsWith('n')).length;
  };
  expect([await left(), await left()]).toEqual([3, 2]);
});

test('tasks of scanners and of appliances that wait or run count beside the places of those that are still to be made', async () => {
  const world = await newApexWorld(store.dynamo); // with two tasks of scanners
  table = world.table;
  expect(await used('waitingTasks')).toBe(2);
  await take('tasks', { amount: 5 });
  const { id } = await world.make();
  expect(await used('waitingTasks')).toBe(8);
  await world.take();
  expect(await used('waitingTasks')).toBe(8);
  await world.end(id);
  expect(await used('waitingTasks')).toBe(7);
  expect(await used('runningImports')).toBe(0);
});
