import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  budgets,
  reservations,
  reserveTokens,
  settleTokens,
  tokensLeft,
  tokensLeftThisMonth,
  usageOf,
} from '#shared/apex/budget.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type ApexWorld, newApexWorld } from '../../support/apex-world.ts';
import { injectFaults, overtakeOnce } from '../../support/faults.ts';
import { stopClock } from '../../support/scanning-world.ts';
import { useStore } from '../../support/store.ts';

const store = useStore();
let world: ApexWorld;
let clock: ReturnType<typeof stopClock>;
beforeEach(async () => {
  clock = stopClock(Date.parse('2026-03-09T12:00:00Z'));
  world = await newApexWorld(store.dynamo);
});
afterEach(() => setClock());

const make = async (maxTokens: number | null) => (await world.make({ limits: { maxTokens, timeoutSeconds: null } })).id;
const reserve = (taskId: string, tokens: number, id = newId()) => reserveTokens(world.table, { id, taskId }, tokens);
const used = { inputTokens: 20, outputTokens: 30, seconds: 1.2 };

describe('tokens are reserved up to the limit and not one beyond it', () => {
  test('of a task', async () => {
    const task = await make(100);
    expect(await reserve(task, 101)).toBe(false);
    expect(await tokensLeft(world.table, task)).toBe(100);
    expect(await reserve(task, 60)).toBe(true);
    expect(await reserve(task, 41)).toBe(false);
    expect(await tokensLeft(world.table, task)).toBe(40);
    expect(await reserve(task, 40)).toBe(true);
    expect(await tokensLeft(world.table, task)).toBe(0);
    expect(await reserve(task, 1)).toBe(false);
    const whole = await make(100);
    expect(await reserve(whole, 100)).toBe(true);
  });

  const template = { key: 'a', type: 'reconnaissance', objective: 'x' };

  test('of all tasks of a run together', async () => {
    const limits = { maxTokens: 100, timeoutSeconds: null };
    const tasks = await world.run([template, { ...template, key: 'b' }], { limits });
    const [one = '', other = ''] = tasks.map(({ id }) => id);
    expect(await reserve(one, 70)).toBe(true);
    expect(await tokensLeft(world.table, other)).toBe(30);
    expect(await reserve(other, 31)).toBe(false);
    expect(await reserve(other, 30)).toBe(true);
    expect(await tokensLeft(world.table, one)).toBe(0);
    const runId = tasks[0]?.runId ?? '';
    expect(await usageOf(world.table, { runId })).toMatchObject({ calls: 0, inputTokens: 0 });
  });

  test('of a run without a limit as far as its organization has some', async () => {
    const [task] = await world.run([template]);
    for (let n = 0; n < 2; n++) expect(await reserve(task?.id ?? '', 25_000_000)).toBe(true);
    expect(await reserve(task?.id ?? '', 1)).toBe(false);
  });

  test('of the organization in a month, which starts again with the next', async () => {
    const task = await make(null);
    expect(await reserve(task, 50_000_001)).toBe(false);
    expect(await reserve(task, 49_999_999)).toBe(true);
    clock.pass(22 * 86_400 + 12 * 3600 - 1);
    expect(await tokensLeftThisMonth(world.table)).toBe(1);
    expect(await reserve(task, 2)).toBe(false);
    expect(await reserve(task, 1)).toBe(true);
    expect(await tokensLeft(world.table, task)).toBe(0);
    expect(await world.table.rows(budgets).find({ owner: 'month:2026-03' })).toMatchObject({ spent: 50_000_000 });
    clock.pass(1);
    expect(await tokensLeftThisMonth(world.table)).toBe(50_000_000);
    expect(await reserve(task, 50_000_000)).toBe(true);
  });
});

test('a call that is repeated reserves once, and one of an unknown task nothing', async () => {
  const task = await make(100);
  const id = newId();
  for (let n = 0; n < 2; n++) expect(await reserve(task, 60, id)).toBe(true);
  expect(await tokensLeft(world.table, task)).toBe(40);
  await expect(reserve(newId(), 1)).rejects.toMatchObject({ code: 'not_found' });
});

describe('a call that has ended', () => {
  test('gives back what it did not use, is counted once, and frees its part of every budget', async () => {
    const task = await make(100);
    const id = newId();
    await reserve(task, 90, id);
    expect(await usageOf(world.table, { taskId: task })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      calls: 0,
      seconds: 0,
    });
    for (let n = 0; n < 2; n++) await settleTokens(world.table, id, used);
    expect(await tokensLeft(world.table, task)).toBe(50);
    expect(await tokensLeftThisMonth(world.table)).toBe(50_000_000 - 50);
    expect(await usageOf(world.table, { taskId: task })).toEqual({
      inputTokens: 20,
      outputTokens: 30,
      calls: 1,
      seconds: 2,
    });
  });

  test('without a single token was no call, and one of a single token was', async () => {
    const task = await make(100);
    const settle = async (inputTokens: number) => {
      const id = newId();
      await reserve(task, 10, id);
      await settleTokens(world.table, id, { inputTokens, outputTokens: 0, seconds: 0 });
      return (await usageOf(world.table, { taskId: task })).calls;
    };
    expect([await settle(0), await settle(1)]).toEqual([0, 1]);
    expect(await tokensLeft(world.table, task)).toBe(99);
    await settleTokens(world.table, newId(), used);
    expect(await tokensLeft(world.table, task)).toBe(99);
  });

  test('is counted once when two workers settle it at the same moment', async () => {
    const task = await make(100);
    const id = newId();
    await reserve(task, 90, id);
    const slow = openTable(store.connect(), world.table.organizationId);
    overtakeOnce(slow.dynamo, () => settleTokens(world.table, id, used));
    await settleTokens(slow, id, used);
    expect(await tokensLeft(world.table, task)).toBe(50);
    expect(await usageOf(world.table, { taskId: task })).toMatchObject({ calls: 1 });
  });

  test('is settled within ninety days', async () => {
    const task = await make(100);
    const id = newId();
    await reserve(task, 90, id);
    clock.pass(90 * 86_400 - 1);
    expect(await world.table.rows(reservations).find({ id })).toMatchObject({ tokens: 90 });
    clock.pass(1);
    expect(await world.table.rows(reservations).find({ id })).toBeUndefined();
  });
});

test('a table that refuses is not taken for an empty budget, nor for a call that was settled before', async () => {
  const task = await make(100);
  const id = newId();
  await reserve(task, 10, id);
  const broken = openTable(store.connect(), world.table.organizationId);
  injectFaults(broken.dynamo, {
    random: () => 1,
    before: (command) => {
      if (command.startsWith('Transact')) throw new Error('no access');
    },
  });
  await expect(reserveTokens(broken, { id: newId(), taskId: task }, 1)).rejects.toThrow('no access');
  await expect(settleTokens(broken, id, used)).rejects.toThrow('no access');
});
