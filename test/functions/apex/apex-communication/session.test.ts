import { beforeEach, describe, expect, test } from 'vitest';
import { ApexSessionUpdate } from '#functions/apex/apex-communication/routes.ts';
import { updateSession } from '#functions/apex/apex-communication/update-session.ts';
import { budgets, ORGANIZATION_TOKENS } from '#shared/apex/budget.ts';
import { readApexPresence, saveApexPresence } from '#shared/apex/presence.ts';
import { tellAppliance } from '#shared/apex/stop.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { LEASE_SECONDS } from '#shared/scanning/leases/lease.ts';
import { type ApexWorld, newApexWorld } from '../../../support/apex-world.ts';
import { stopClock } from '../../../support/scanning-world.ts';
import { newOrganization, useStore } from '../../../support/store.ts';

const store = useStore();
let clock: ReturnType<typeof stopClock>;
let world: ApexWorld;
beforeEach(async () => {
  clock = stopClock();
  world = await newApexWorld(store.dynamo);
});

const update = (body: object = {}) =>
  updateSession(world.table, world.applianceId, ApexSessionUpdate.parse({ state: 'busy', ...body }));
const presence = async () => {
  const found = await readApexPresence(world.table, world.applianceId);
  if (!found) throw new Error('no presence');
  return found;
};

describe('a session', () => {
  test('goes on while the appliance names it, and another begins when it names none or another', async () => {
    const { sessionId } = await update();
    expect((await update({ sessionId })).sessionId).toBe(sessionId);
    const { sessionId: second } = await update();
    expect(second).not.toBe(sessionId);
    expect((await update({ sessionId })).sessionId).not.toBe(second);
    expect((await presence()).session?.id).not.toBe(second);
  });

  test('keeps what the appliance says of its state and resources', async () => {
    const { sessionId } = await update({ state: 'idle', resources: { cpuPercent: 20, diskPercent: undefined } });
    expect((await presence()).session).toEqual({
      id: sessionId,
      state: 'idle',
      updatedAt: nowMs(),
      resources: { cpuPercent: 20 },
    });
    clock.pass(1);
    await update({ sessionId, state: 'error' });
    expect((await presence()).session).toMatchObject({ id: sessionId, state: 'error', updatedAt: nowMs() });
  });

  test('that says nothing new is recorded once a minute', async () => {
    const { sessionId } = await update();
    const { rev } = await presence();
    clock.pass(59);
    await update({ sessionId });
    expect((await presence()).rev).toBe(rev);
    clock.pass(1);
    await update({ sessionId });
    expect(await presence()).toMatchObject({ rev: rev + 1, lastSeenAt: nowMs(), toldSeconds: 60 });
  });

  test('of an appliance that was removed is refused', async () => {
    const unknown = updateSession(world.table, newId(), ApexSessionUpdate.parse({ state: 'idle' }));
    await expect(unknown).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

test('an update renews the leases that it names, and the answer names the lost leases and the time of the next call', async () => {
  expect(await update()).toMatchObject({ leases: [], nextUpdateSeconds: 60 });
  const [one, other] = [await world.make(), await world.make()];
  await world.take();
  const unknown = newId();
  clock.pass(600);
  const { leases, lost, nextUpdateSeconds } = await update({
    running: [{ taskId: one.id, progress: 0.5, step: 'ports' }, { taskId: unknown }],
  });
  const endsIn = (seconds: number) => new Date(nowMs() + seconds * 1000).toISOString();
  expect(leases).toContainEqual({ taskId: one.id, leaseExpiresAt: endsIn(LEASE_SECONDS) });
  expect(leases).toContainEqual({ taskId: other.id, leaseExpiresAt: endsIn(LEASE_SECONDS - 600) });
  expect([lost, nextUpdateSeconds, leases.length]).toEqual([[unknown], 10, 2]);
  expect((await presence()).leases[one.id]).toMatchObject({ progress: 0.5, step: 'ports', until: nowMs() + 900_000 });
});

test('commands are repeated until they have no more effect, and leave the row with the next record', async () => {
  const { sessionId } = await update();
  await tellAppliance(world.table, world.applianceId, { type: 'upgrade', reason: 'to 2.0' });
  expect((await update({ sessionId })).commands).toEqual([{ type: 'upgrade', reason: 'to 2.0' }]);
  clock.pass(299);
  expect((await update({ sessionId })).commands).toHaveLength(1);
  clock.pass(1);
  expect((await update({ sessionId, state: 'idle' })).commands).toEqual([]);
  expect((await presence()).commands).toEqual([]);
});

describe('the budget that an appliance is told', () => {
  const spend = (table: Table, spent: number) =>
    table
      .rows(budgets)
      .put({ owner: `month:${now().slice(0, 7)}`, spent, inputTokens: 0, outputTokens: 0, calls: 0, seconds: 0 });
  const left = async () => (await update()).budget.tokensLeft;

  /** The appliance holds a task of each of these organizations; undefined: of its own. */
  async function hold(...owners: (Table | undefined)[]) {
    const before = await presence();
    const lease = { attempt: 1, until: nowMs() + 900_000, deadline: nowMs() + 900_000, progress: 0, runId: null };
    const leases = owners.map((owner) => {
      const whose = owner && { organizationId: owner.organizationId };
      return [newId(), { ...lease, engagementId: newId(), ...whose }] as const;
    });
    await saveApexPresence(world.table, { before, after: { ...before, leases: Object.fromEntries(leases) } });
  }

  test('is that of its own organization while it holds nothing or own tasks, and never below nothing', async () => {
    expect(await left()).toBe(ORGANIZATION_TOKENS);
    await spend(world.table, ORGANIZATION_TOKENS - 5);
    expect(await left()).toBe(5);
    await hold(undefined);
    expect(await left()).toBe(5);
    await spend(world.table, ORGANIZATION_TOKENS + 5);
    expect(await left()).toBe(0);
  });

  test('is the least of those whose tasks it holds, and not that of its own organization', async () => {
    await update();
    await spend(world.table, ORGANIZATION_TOKENS - 5);
    const [one, other] = [newOrganization(store.dynamo), newOrganization(store.dynamo)];
    await spend(one, ORGANIZATION_TOKENS - 70);
    await spend(other, ORGANIZATION_TOKENS - 30);
    await hold(one);
    expect(await left()).toBe(70);
    await hold(one, other);
    expect(await left()).toBe(30);
  });
});
