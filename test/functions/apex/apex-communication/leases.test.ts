import { describe, expect, test } from 'vitest';
import { work } from '#functions/workers/sweeper/work.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import {
  ORGANIZATION_TOKENS,
  reserveTokens,
  settleTokens,
  tokensLeft,
  tokensLeftThisMonth,
  usageOf,
} from '#shared/apex/budget.ts';
import { apexPresences, ownerOfEngagement, readApexPresence, saveApexPresence } from '#shared/apex/presence.ts';
import { becomeProvider } from '#shared/apex/public.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { placedTimer } from '#shared/platform/timers/timers.ts';
import { end, makeCampaign, makeTask, openEngagement, run, take } from '../../../support/apex.ts';
import { giveTask } from '../../../support/held-task.ts';
import { startSystem, type TestOrganization } from '../../../support/system.ts';

const system = startSystem();

/** Time passes for one appliance: what it holds, and when it was seen, lie so far in the past. */
async function age({ table }: TestOrganization, machineId: string, seconds: number): Promise<void> {
  const before = await readApexPresence(table, machineId);
  if (!before) throw new Error('no presence');
  const old = (at: number) => at - seconds * 1000;
  const leases = Object.entries(before.leases).map(([id, lease]) => [id, { ...lease, until: old(lease.until) }]);
  const after = { ...before, lastSeenAt: old(before.lastSeenAt), leases: Object.fromEntries(leases) };
  await saveApexPresence(table, { before, after });
}

async function sweep({ table, organizationId }: TestOrganization, id: string): Promise<void> {
  const presence = await table.rows(apexPresences).find({ machineId: id }, true);
  await work(system.connections, placedTimer({ at: presence?.timerAt ?? 0, kind: 'apex', organizationId, id }));
}

describe('a lease that ends', () => {
  test('of a cancelled task cancels it, and of a campaign’s task lets the run go on', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const engagementId = await openEngagement(organization);
    const appliance = await organization.machine('apex');
    const { id } = await makeCampaign(organization, engagementId, {
      taskTemplates: [{ key: 'a', type: 'reconnaissance', maxAttempts: 1 }],
    });
    await run(organization, id);
    const single = await makeTask(organization, engagementId);
    expect(await take(appliance)).toHaveLength(2);
    await admin.ok('cancelApexTask', { params: { id: single.id } });
    await age(organization, appliance.id, 1000);
    await sweep(organization, appliance.id);
    expect(await admin.ok('getApexTask', { params: { id: single.id } })).toMatchObject({ status: 'cancelled' });
    expect(await admin.ok('getCampaign', { params: { id } })).toMatchObject({ status: 'failed', tasks: { failed: 1 } });
  });

  test.each([
    ['of two tasks', false],
    ['of an own and of a public task, where the organization serves itself as provider,', true],
  ])('%s gives both back, whether it expires or its appliance is removed', async (_, usePublicApex) => {
    const organization = await system.newOrganization();
    const { admin, table } = organization;
    if (usePublicApex) await becomeProvider(table);
    const appliance = await organization.machine('apex');
    const ids = [await giveTask(table, appliance.id), await giveTask(table, appliance.id, { usePublicApex })];
    await age(organization, appliance.id, 1000);
    await sweep(organization, appliance.id);
    const read = () => Promise.all(ids.map(({ id }) => table.get(apexTasks, id, true)));
    expect((await read()).map(({ status }) => status)).toEqual(['pending', 'pending']);
    ids.push(await giveTask(table, appliance.id), await giveTask(table, appliance.id, { usePublicApex }));
    await admin.ok('deleteAppliance', { params: { id: appliance.id } });
    expect((await read()).map(({ status }) => status)).toEqual(Array(4).fill('pending'));
  });

  test('leaves what its task has used: while it runs, and when nobody reports its end', async () => {
    const organization = await system.newOrganization();
    const { table, admin } = organization;
    const { id } = await makeTask(organization, await openEngagement(organization));
    const appliance = await organization.machine('apex');
    const used = { inputTokens: 40, outputTokens: 10, calls: 1, seconds: 2 };
    const lose = async () => {
      await take(appliance);
      await age(organization, appliance.id, 1000);
      await sweep(organization, appliance.id);
    };
    await take(appliance);
    const call = newId();
    await reserveTokens(table, { id: call, taskId: id }, 300);
    await settleTokens(table, call, used);
    expect(await admin.ok('getApexTask', { params: { id } })).toMatchObject({ status: 'running', usage: used });
    for (let n = 0; n < 3; n++) await lose();
    const { data } = await admin.ok('listApexTasks');
    expect(data).toMatchObject([{ id, status: 'failed', usage: used }]);
  });

  test('ends the view into its engagement with it', async () => {
    const organization = await system.newOrganization();
    const engagementId = await openEngagement(organization);
    const task = await makeTask(organization, engagementId);
    const appliance = await organization.machine('apex');
    const sees = async (id: string) =>
      (await ownerOfEngagement(organization.table, appliance.id, id)) === organization.table;
    expect(await sees(engagementId)).toBe(false);
    await take(appliance);
    expect(await sees(engagementId)).toBe(true);
    expect(await sees(newId())).toBe(false);
    await end(appliance, task.id);
    expect(await sees(engagementId)).toBe(false);
  });
});

describe('the budget of tokens', () => {
  test('is never exceeded by calls that run at once, and what a call did not use comes back', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const limits = { maxTokens: 1000, timeoutSeconds: null };
    const { id: taskId } = await makeTask(organization, await openEngagement(organization), { limits });
    const calls = Array.from({ length: 8 }, () => newId());
    const granted = await Promise.all(calls.map((id) => reserveTokens(table, { id, taskId }, 300)));
    expect(granted.filter(Boolean)).toHaveLength(3);
    expect(await tokensLeft(table, taskId)).toBe(100);
    const [first = ''] = calls.filter((_, n) => granted[n]);
    expect(await reserveTokens(table, { id: first, taskId }, 300)).toBe(true);
    expect(await tokensLeft(table, taskId)).toBe(100);
    const month = await tokensLeftThisMonth(table);
    for (let n = 0; n < 2; n++) await settleTokens(table, first, { inputTokens: 40, outputTokens: 10, seconds: 1.2 });
    expect(await tokensLeft(table, taskId)).toBe(350);
    expect(await tokensLeftThisMonth(table)).toBe(month + 250);
    expect(await usageOf(table, { taskId })).toEqual({ inputTokens: 40, outputTokens: 10, calls: 1, seconds: 2 });
  });

  test('of an organization is that of its month, whichever task asks, to the last token; a call that failed used nothing', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const engagementId = await openEngagement(organization);
    const limits = { maxTokens: null, timeoutSeconds: null };
    const [one, other] = [
      await makeTask(organization, engagementId, { limits }),
      await makeTask(organization, engagementId, { limits }),
    ];
    const [large, rest] = [newId(), newId()];
    expect(await reserveTokens(table, { id: large, taskId: one.id }, ORGANIZATION_TOKENS - 300)).toBe(true);
    expect(await reserveTokens(table, { id: newId(), taskId: other.id }, 301)).toBe(false);
    expect(await reserveTokens(table, { id: rest, taskId: other.id }, 300)).toBe(true);
    expect([await tokensLeft(table, other.id), await tokensLeftThisMonth(table)]).toEqual([0, 0]);
    await settleTokens(table, rest, { inputTokens: 0, outputTokens: 0, seconds: 1 });
    expect(await usageOf(table, { taskId: other.id })).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      calls: 0,
      seconds: 1,
    });
    expect(await tokensLeftThisMonth(table)).toBe(300);
    await settleTokens(table, large, { inputTokens: 10, outputTokens: 10, seconds: 1 });
    expect(await usageOf(table, { taskId: one.id })).toMatchObject({ inputTokens: 10, outputTokens: 10, calls: 1 });
    expect(await tokensLeftThisMonth(table)).toBe(ORGANIZATION_TOKENS - 20);
  });

  test('that is asked for more than it ever had refuses, and gives exactly what it has', async () => {
    const organization = await system.newOrganization();
    const { table } = organization;
    const limits = { maxTokens: 500, timeoutSeconds: null };
    const { id: taskId } = await makeTask(organization, await openEngagement(organization), { limits });
    expect(await reserveTokens(table, { id: newId(), taskId }, 501)).toBe(false);
    expect(await reserveTokens(table, { id: newId(), taskId }, 500)).toBe(true);
    expect(await reserveTokens(table, { id: newId(), taskId }, 1)).toBe(false);
  });

  test('of a run is that of its campaign as it is now, shared by its tasks', async () => {
    const organization = await system.newOrganization();
    const { table, admin } = organization;
    const { id } = await makeCampaign(organization, await openEngagement(organization), { limits: { maxTokens: 500 } });
    const runId = await run(organization, id);
    const { data } = await admin.ok('listApexTasks', { query: { runId } });
    const taskId = data[0]?.id ?? '';
    expect(await reserveTokens(table, { id: newId(), taskId }, 501)).toBe(false);
    expect(await reserveTokens(table, { id: newId(), taskId }, 400)).toBe(true);
    expect(await reserveTokens(table, { id: newId(), taskId }, 200)).toBe(false);
    const limits = { maxTokens: 600, maxConcurrentTasks: null, maxDurationSeconds: null, maxTasks: null };
    await admin.ok('updateCampaign', { params: { id }, body: { limits } });
    expect(await reserveTokens(table, { id: newId(), taskId }, 200)).toBe(true);
    expect(await tokensLeft(table, taskId)).toBe(0);
  });
});
