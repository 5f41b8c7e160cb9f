import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { cursors, openPools, poolQueue, type Turn, turns } from '#shared/scanning/scanner-tasks/pools.ts';
import { pendingRows } from '#shared/scanning/scanner-tasks/queue.ts';
import { nextTurn, type ServedTurn } from '#shared/scanning/scanner-tasks/ring.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();

let lane: string;
let provider: Table;
beforeEach(() => {
  lane = `${newId()}|network`;
  provider = newOrganization(store.dynamo);
});
const shared = () => openPools(store.dynamo);

/** Organizations in the order of their ids, with turns and so many waiting tasks each. */
async function waiting(...counts: number[]): Promise<Table[]> {
  const tables = counts
    .map(() => newOrganization(store.dynamo))
    .toSorted((a, b) => (a.organizationId < b.organizationId ? -1 : 1));
  await Promise.all(tables.map((table, n) => queue(table, counts[n] ?? 0)));
  return tables;
}

async function queue({ tenant, organizationId }: Table, count: number, to = lane): Promise<void> {
  await shared()
    .rows(turns)
    .put({ lane: to, organizationId, stamp: newId().slice(-8) });
  const rows = shared().rows(pendingRows);
  for (let n = 0; n < count; n++) await rows.put({ queue: poolQueue(to, tenant), taskId: newId() });
}

type Rules = { lanes?: string[]; roomOf?: (id: string) => number; serve?: (served: ServedTurn) => unknown };
const next = ({ lanes = [lane], roomOf = () => 5, serve }: Rules = {}) =>
  nextTurn(provider, {
    ring: lane,
    lanes,
    roomOf: async (id) => roomOf(id),
    widthOf: (room) => room + 1,
    serve: async (served) => (serve ? (serve(served) as string | undefined) : served.owner.organizationId),
  });
const served = async (rules?: Rules) => (await next(rules)).found;
const idsOf = (tables: readonly Table[]) => tables.map(({ organizationId }) => organizationId);
const turnsIn = async (name = lane): Promise<Turn[]> => shared().rows(turns).query(name);

describe('organizations whose tasks wait', () => {
  test('are served in the order of the ring, from the first again after the last', async () => {
    const ids = idsOf(await waiting(1, 1, 1));
    const order = [await served(), await served(), await served(), await served()];
    expect(order).toEqual([...ids, ids[0]]);
  });

  test('are each served in a round, however many they are', async () => {
    const ids = idsOf(await waiting(...Array.from({ length: 18 }, () => 1)));
    const order: unknown[] = [];
    for (let n = 0; n < 19; n++) order.push(await served());
    expect(order).toEqual([...ids, ids[0]]);
  });

  test('are skipped at their limit, and keep their turn', async () => {
    const ids = idsOf(await waiting(1, 1));
    expect(await served({ roomOf: (id) => (id === ids[0] ? 0 : 1) })).toBe(ids[1]);
    expect(await turnsIn()).toHaveLength(2);
    expect(await served()).toBe(ids[0]);
  });

  test('lose the turn of an empty queue alone, and the next one is served', async () => {
    const ids = idsOf(await waiting(0, 1));
    expect(await next()).toMatchObject({ found: ids[1], waits: true, empty: [] });
    expect((await turnsIn()).map(({ organizationId }) => organizationId)).toEqual([ids[1]]);
  });

  test('that can be given nothing now leave the turn to the next', async () => {
    const ids = idsOf(await waiting(1, 1));
    const serve = ({ owner }: ServedTurn) => (owner.organizationId === ids[0] ? undefined : owner.organizationId);
    expect(await served({ serve })).toBe(ids[1]);
    expect(await next({ serve: () => undefined })).toEqual({ found: undefined, waits: true, empty: [] });
    expect(await turnsIn()).toHaveLength(2);
  });

  test('have one turn for all lanes of a ring, and a lane without turns is reported', async () => {
    const [other, none] = [`${lane}-b`, `${lane}-c`];
    const [first, second] = await waiting(1, 1);
    if (first) await queue(first, 2, other);
    const lanes = [lane, other, none];
    const rows: number[] = [];
    const serve = ({ rows: found, owner }: ServedTurn) => rows.push(found.length) && owner.organizationId;
    expect(await next({ lanes, serve })).toEqual({ found: first?.organizationId, waits: true, empty: [none] });
    expect(await served({ lanes, serve })).toBe(second?.organizationId);
    expect(rows).toEqual([3, 1]);
  });
});

test('an organization at its limit waits, also if it is the only one', async () => {
  await waiting(1);
  expect(await next({ roomOf: () => 0 })).toEqual({ found: undefined, waits: true, empty: [] });
});

test('organizations of several lanes are served in one order', async () => {
  const other = `${lane}-b`;
  const tables = await waiting(0, 1, 0);
  for (const n of [0, 2]) if (tables[n]) await queue(tables[n], 1, other);
  await shared()
    .rows(turns)
    .remove({ lane, organizationId: tables[0]?.organizationId ?? '' });
  await shared()
    .rows(turns)
    .remove({ lane, organizationId: tables[2]?.organizationId ?? '' });
  const lanes = [lane, other];
  expect([await served({ lanes }), await served({ lanes }), await served({ lanes })]).toEqual(idsOf(tables));
});

test('one poll passes all organizations that can be given nothing now', async () => {
  const ids = idsOf(await waiting(...Array.from({ length: 12 }, () => 1)));
  const last = ids.at(-1);
  const serve = ({ owner }: ServedTurn) => (owner.organizationId === last ? last : undefined);
  expect(await served({ serve })).toBe(last);
});

test('nobody waits in a ring without turns', async () => {
  expect(await next()).toEqual({ found: undefined, waits: false, empty: [lane] });
});

test('the served organization knows its room, whether it is alone, and how many tasks to read', async () => {
  const [only] = await waiting(4);
  const looked: object[] = [];
  const look = ({ rows, room, isAlone }: ServedTurn) => looked.push({ rows: rows.length, room, isAlone });
  await served({ roomOf: () => 2, serve: look });
  await waiting(1);
  await served({ roomOf: (id) => (id === only?.organizationId ? 2 : 0), serve: look });
  expect(looked).toEqual([
    { rows: 3, room: 2, isAlone: true },
    { rows: 3, room: 2, isAlone: false },
  ]);
});

test('leaving a turn ends all turns of the ring, and a turn that was renewed meanwhile stays', async () => {
  const other = `${lane}-b`;
  const [only] = await waiting(1);
  if (only) await queue(only, 1, other);
  const lanes = [lane, other];
  let leave: ServedTurn['leave'] = async () => false;
  const serve = (turn: ServedTurn) => {
    leave = turn.leave;
    return 'served';
  };
  await next({ lanes, serve });
  if (only) await queue(only, 1, other);
  expect(await leave()).toBe(false);
  expect([await turnsIn(), await turnsIn(other)].map(({ length }) => length)).toEqual([0, 1]);
  await next({ lanes, serve });
  expect(await leave()).toBe(true);
  expect(await turnsIn(other)).toEqual([]);
});

test('a poll that another overtakes goes on from where that one left the ring', async () => {
  const ids = idsOf(await waiting(1, 1));
  let isFirst = true;
  const both = await nextTurn(provider, {
    ring: lane,
    lanes: [lane],
    roomOf: async () => {
      if (isFirst) {
        isFirst = false;
        expect(await served()).toBe(ids[0]);
      }
      return 1;
    },
    widthOf: () => 2,
    serve: async ({ owner }) => owner.organizationId,
  });
  expect(both).toEqual({ found: ids[1], waits: true, empty: [] });
  expect(await shared().rows(cursors).find({ lane }, true)).toMatchObject({ organizationId: ids[1] });
});

test('a poll that is overtaken again and again gives up, and says that something waits', async () => {
  const [table] = await waiting(1);
  let rounds = 0;
  const roomOf = async () => {
    rounds += 1;
    await shared().rows(cursors).put({ lane, organizationId: newId() });
    return 1;
  };
  const serve = async () => table?.organizationId;
  const answer = await nextTurn(provider, { ring: lane, lanes: [lane], roomOf, widthOf: () => 2, serve });
  expect([answer, rounds]).toEqual([{ found: undefined, waits: true, empty: [] }, 8]);
});
