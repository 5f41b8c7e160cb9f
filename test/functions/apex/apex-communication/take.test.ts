import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { findWork } from '#functions/apex/apex-communication/take.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { release } from '#shared/apex/moves.ts';
import { type ApexPresence, readApexPresence } from '#shared/apex/presence.ts';
import { becomeProvider, publicLane } from '#shared/apex/public.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { setRandom } from '#shared/platform/runtime/random.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { openPools } from '#shared/scanning/scanner-tasks/pools.ts';
import { hintKey, hintOf, workHints } from '#shared/scanning/scanner-tasks/queue.ts';
import { usages } from '#shared/scanning/scanner-tasks/usage.ts';
import { template } from '../../../support/apex.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { injectFaults } from '../../../support/faults.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { useStore } from '../../../support/store.ts';

// all public appliances go round one ring
const store = useStore('test');
let clock: ReturnType<typeof stopClock>;
let world: ApexWorld;
beforeEach(async () => {
  clock = stopClock();
  setRandom(() => 0);
  world = await newApexWorld(store.dynamo);
});
afterAll(() => {
  setClock();
  setRandom();
});

const hintNow = () => world.table.rows(workHints).find(hintKey, true);

type Look = { of?: Partial<ApexPresence>; attempt?: number; table?: ApexWorld['table'] };

/** The tasks that the appliance would get now. Nothing is leased by that. */
async function look(room: number, { of = {}, attempt = 1, table = world.table }: Look = {}) {
  const presence = await readApexPresence(world.table, world.applianceId);
  if (!presence) throw new Error('an appliance that was linked');
  return findWork(table, { ...presence, ...of }, { hint: await hintNow(), room, attempt });
}
const idsOf = async (room: number, more?: Look) => (await look(room, more)).tasks.map(({ id }) => id);
const make = async (wish?: object) => (await world.make(wish)).id;
const change = (id: string, fields: object) => world.table.modify(apexTasks, id, () => fields);

/** How many requests a look takes. */
async function requestsOf(room: number, of?: Partial<ApexPresence>): Promise<number> {
  const dynamo = store.connect();
  let requests = 0;
  injectFaults(dynamo, { random: () => 1, before: () => void requests++ });
  await look(room, { of, table: openTable(dynamo, world.table.organizationId) });
  return requests;
}

describe('an appliance gets', () => {
  test('what waits for itself, for its zone and for any, of its types', async () => {
    const [any, own] = [await make(), await make({ applianceId: world.applianceId })];
    const zoned = await make({ approval: 'required' });
    await change(zoned, { zone: 'dmz' });
    const batch = world.table.batch();
    await release({ table: world.table, batch }, [await world.read(zoned)]);
    await batch.commit();
    expect((await idsOf(9)).toSorted()).toEqual([any, own].toSorted());
    expect((await idsOf(9, { of: { zone: 'dmz' } })).toSorted()).toEqual([any, own, zoned].toSorted());
    expect(await idsOf(9, { of: { zone: 'office', machineId: newId() } })).toEqual([any]);
    expect(await idsOf(9, { of: { taskTypes: ['web_testing'] } })).toEqual([]);
  });

  test('the most urgent first, then the oldest, and hears whether more wait', async () => {
    const [first, second, urgent] = [await make(), await make(), await make({ priority: 9 })];
    expect((await look(2)).tasks.map(({ id }) => id)).toEqual([urgent, first]);
    expect([(await look(2)).more, (await look(3)).more]).toEqual([true, false]);
    expect(await idsOf(3)).toEqual([urgent, first, second]);
  });

  test('tasks further behind once another machine was faster', async () => {
    setRandom(() => 0.999_999);
    const ids: string[] = [];
    for (let n = 0; n < 14; n++) ids.push(await make());
    expect(await idsOf(1)).toEqual([ids[0]]);
    // one of the first twelve
    expect(await idsOf(1, { attempt: 2 })).toEqual([ids[10]]);
  });

  test('nothing that has ended or is held back meanwhile', async () => {
    const [ended, held, waits] = [await make(), await make(), await make()];
    await change(ended, { status: 'cancelled' });
    await change(held, { released: false });
    expect(await idsOf(3)).toEqual([waits]);
  });

  test('nothing while it is disabled, and then does not come soon either', async () => {
    await make();
    expect(await look(1, { of: { enabled: false } })).toMatchObject({ tasks: [], more: false });
  });

  test.each([
    ['own', false],
    ['public', true],
  ])('without room only whether %s tasks may wait, for nothing', async (_, isPublic) => {
    const of: Partial<ApexPresence> = { public: isPublic, taskTypes: ['reconnaissance'] };
    expect(await look(0, { of })).toMatchObject({ tasks: [], more: false });
    await (isPublic ? becomeProvider(world.table) : make());
    expect(await look(0, { of })).toMatchObject({ tasks: [], more: true });
    expect(await requestsOf(0, of)).toBe(0);
  });
});

describe('a public appliance', () => {
  const isPublic = { of: { public: true } };
  const RUNNING = { groupId: 'public-apex' };
  beforeEach(() => becomeProvider(world.table));

  /** An organization with so many tasks for public appliances. */
  async function newClient(count: number): Promise<ApexWorld> {
    clock.pass(1); // the ring is in the order of ids, which begin with their time
    const client = await newApexWorld(store.dynamo);
    const { id: engagementId } = await client.engage(['192.0.2.1']);
    const templates = Array.from({ length: count }, (_, n) => template(`t${n}`));
    await client.run(templates, { engagementId, usePublicApex: true });
    return client;
  }
  const count = ({ table }: ApexWorld, running: number) =>
    openPools(store.dynamo)
      .rows(usages)
      .put({ ...RUNNING, owner: table.organizationId, running });

  test('gets tasks of the organization whose turn it is, never its own, and comes soon', async () => {
    await make();
    const client = await newClient(3);
    const found = await look(2, isPublic);
    expect([found.owner.tenant, found.tasks.length, found.more]).toEqual([client.table.tenant, 2, true]);
    expect((await look(9, isPublic)).tasks).toHaveLength(3);
    expect((await look(9)).tasks).toHaveLength(1);
  });

  test('gets no more than the organization may run on public appliances', async () => {
    const client = await newClient(3);
    await count(client, 48);
    expect(await idsOf(9, isPublic)).toHaveLength(2);
    expect(await idsOf(1, isPublic)).toHaveLength(1);
    await count(client, 50);
    expect(await look(9, isPublic)).toMatchObject({ tasks: [], more: true });
  });

  test('passes over an organization whose tasks have ended', async () => {
    const [ended, waits] = [await newClient(1), await newClient(1)];
    for (const { id, usePublicApex } of await ended.list())
      if (usePublicApex) await ended.table.modify(apexTasks, id, () => ({ status: 'cancelled' as const }));
    const found = await look(2, isPublic);
    expect([found.owner.tenant, found.tasks.length]).toEqual([waits.table.tenant, 1]);
  });

  test('learns once that nobody waits in a lane', async () => {
    clock.pass(60);
    const isHinted = async (type: string) => hintOf(await hintNow(), publicLane(type)) !== undefined;
    expect(await look(1, { of: { public: true, taskTypes: ['retest'] } })).toMatchObject({ tasks: [], more: false });
    expect([await isHinted('retest'), await isHinted('reconnaissance')]).toEqual([false, true]);
  });
});
