import { describe, expect, test } from 'vitest';
import { apexCampaigns } from '#shared/apex/apex-campaign.ts';
import {
  diamond,
  end,
  makeCampaign,
  makeTask,
  readCampaign,
  run,
  take,
  template,
  withAppliances,
} from '../support/apex.ts';
import { startSystem } from '../support/system.ts';
import { finished } from '../support/wait.ts';

const system = startSystem();

describe('an operator', () => {
  test('pauses a run: until it is resumed no task is handed out and appliances hold still', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const taskTemplates = [template('a'), template('b')];
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates });
    const runId = await run(organization, id);
    const [held] = await take(appliance, 1);
    const taskId = held?.id ?? '';
    const session = async () =>
      (await appliance.client.ok('updateApexSession', { body: { state: 'busy', running: [{ taskId }] } })).commands;
    expect(await session()).toEqual([]);
    expect(await admin.ok('pauseCampaign', { params: { id } })).toMatchObject({ status: 'paused' });
    expect(await take(appliance)).toEqual([]);
    expect(await session()).toMatchObject([{ type: 'pause', taskId }]);
    await admin.ok('resumeCampaign', { params: { id } });
    expect(await session()).toMatchObject([{ type: 'resume', taskId }]);
    await admin.ok('pauseCampaign', { params: { id } });
    expect(await session()).toMatchObject([{ type: 'pause', taskId }]);
    const waiting = (await admin.ok('listApexTasks', { query: { runId } })).data.find((task) => task.id !== taskId);
    expect(waiting).toMatchObject({ status: 'pending', waitingReason: 'campaign_paused', released: false });
    await end(appliance, taskId);
    expect(await take(appliance)).toEqual([]);
    expect(await admin.call('pauseCampaign', { params: { id } })).toMatchObject({
      status: 400,
      body: { code: 'conflict' },
    });
    expect(await admin.ok('resumeCampaign', { params: { id } })).toMatchObject({ status: 'running' });
    expect(await take(appliance)).toHaveLength(1);
  });

  test('cancels or pauses a running task and can revise that decision', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const { id } = await makeTask(organization, engagementId);
    await take(appliance);
    await admin.ok('approveApexTask', { params: { id } });
    await admin.ok('denyApexTask', { params: { id }, body: { reason: 'too risky' } });
    const { commands } = await appliance.client.ok('updateApexSession', { body: { state: 'busy' } });
    expect(commands).toEqual([{ type: 'deny', taskId: id, reason: 'too risky' }]);
  });

  test('cancels a running task twice: the second asks for nothing more', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const { id } = await makeTask(organization, engagementId);
    await take(appliance);
    const first = await admin.ok('cancelApexTask', { params: { id } });
    expect(first).toMatchObject({ status: 'running', cancelRequestedAt: expect.any(String) });
    const again = await admin.ok('cancelApexTask', { params: { id } });
    const { cancelRequestedAt, version } = first;
    expect(again).toMatchObject({ status: 'running', cancelRequestedAt, version });
    const { cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 0 } });
    expect(cancel).toEqual([{ taskId: id, reason: 'cancelled' }]);
  });

  test('cancels a run: waiting tasks end at once, running ones when the appliance confirms, and all are counted', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates: [template('a'), template('b')] });
    const runId = await run(organization, id);
    const [held] = await take(appliance, 1);
    expect(await admin.ok('cancelCampaign', { params: { id } })).toMatchObject({
      status: 'cancelled',
      currentRun: null,
    });
    expect(await take(appliance)).toEqual([]);
    await end(appliance, held?.id ?? '', 'cancelled');
    const { data } = await admin.ok('listCampaignRuns', { params: { id } });
    expect(data).toMatchObject([{ id: runId, status: 'cancelled', tasks: { cancelled: 2, running: 0, pending: 0 } }]);
    expect(await organization.table.find(apexCampaigns, id)).toMatchObject({ tasks: { cancelled: 2 } });
  });

  test('changes name and limits of a running campaign; its templates and its deletion are refused', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const taskTemplates = [template('a'), template('b')];
    const limits = { maxConcurrentTasks: 1 };
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates, limits });
    await run(organization, id);
    expect(await take(appliance)).toHaveLength(1);
    const change = (body: object) => admin.call('updateCampaign', { params: { id }, body });
    expect(await change({ taskTemplates: [template('c')] })).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const whole = { ...(await readCampaign(organization, id)), name: 'Renamed' };
    expect(await change(whole)).toMatchObject({ status: 200, body: { name: 'Renamed' } });
    expect(await take(appliance)).toEqual([]);
    await change({ limits: { maxConcurrentTasks: 2, maxTokens: null, maxDurationSeconds: null, maxTasks: null } });
    expect(await take(appliance)).toHaveLength(1);
    expect(await admin.call('deleteCampaign', { params: { id } })).toMatchObject({ body: { code: 'conflict' } });
    await admin.ok('cancelCampaign', { params: { id } });
    await admin.ok('deleteCampaign', { params: { id } });
    expect(await admin.call('getCampaign', { params: { id } })).toMatchObject({ body: { code: 'not_found' } });
  });

  test('lowers the limit of a running campaign: tasks beyond it that no appliance has taken wait again', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const taskTemplates = [template('a'), template('b'), template('c')];
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates });
    await run(organization, id);
    const change = (limits: object) =>
      admin.call('updateCampaign', { params: { id }, body: { limits: limits as never } });
    expect(await change({ maxTasks: 2 })).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    expect(await change({ maxConcurrentTasks: 1 })).toMatchObject({ status: 200 });
    const [only, ...more] = await take(appliance);
    expect(more).toEqual([]);
    const { data } = await admin.ok('listApexTasks', { query: { campaignId: id } });
    expect(data.map(({ waitingReason }) => waitingReason)).toEqual(['campaign_limit', 'campaign_limit', null]);
    await end(appliance, only?.id ?? '');
    expect(await take(appliance)).toHaveLength(1);
  });

  test('stops all work of the organization and none of another', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const other = await withAppliances(system);
    const kept = await makeTask(other.organization, other.engagementId);
    const { id } = await makeCampaign(organization, engagementId, { taskTemplates: diamond });
    await run(organization, id);
    const running = await take(appliance);
    const waiting = await makeTask(organization, engagementId);
    await makeTask(organization, engagementId, { dependsOn: [waiting.id] });
    expect(await (await organization.withRole('analyst')).call('stopAllApex')).toMatchObject({ status: 401 });
    const { taskId } = await admin.ok('stopAllApex', { body: { reason: 'the shop is slow' } });
    expect(await finished(admin, taskId)).toMatchObject({ status: 'succeeded', result: { campaigns: 1, tasks: 6 } });
    expect(await take(appliance)).toEqual([]);
    const { cancel } = await appliance.client.ok('leaseApexTasks', { body: { capacity: 0 } });
    expect(cancel.map((one) => one.taskId)).toEqual(running.map((task) => task.id));
    for (const task of running) await end(appliance, task.id, 'cancelled');
    expect(await readCampaign(organization, id)).toMatchObject({ status: 'cancelled' });
    expect(await admin.ok('getApexTask', { params: { id: waiting.id } })).toMatchObject({
      status: 'cancelled',
      error: { code: 'stopped', message: 'Everything was stopped by administrator: the shop is slow' },
    });
    expect(await other.admin.ok('getApexTask', { params: { id: kept.id } })).toMatchObject({ status: 'pending' });
  });
});

describe('an appliance', () => {
  test('is listed, found, counted, changed, drained and sent commands', async () => {
    const { organization, admin, engagementId, appliance } = await withAppliances(system);
    const { id } = appliance;
    expect(await admin.ok('getAppliance', { params: { id } })).toMatchObject({
      status: 'never_connected',
      session: null,
    });
    const opened = await appliance.client.ok('updateApexSession', {
      body: { state: 'idle', version: '2.0.0', resources: { cpuPercent: 5 } },
    });
    const shown = await admin.ok('getAppliance', { params: { id } });
    expect(shown).toMatchObject({
      status: 'online',
      softwareVersion: '2.0.0',
      session: { id: opened.sessionId, state: 'idle', resources: { cpuPercent: 5 } },
    });
    const again = await appliance.client.ok('updateApexSession', {
      body: { state: 'idle', sessionId: opened.sessionId },
    });
    expect(again.sessionId).toBe(opened.sessionId);
    const changed = await admin.ok('updateAppliance', {
      params: { id },
      body: { ...shown, name: 'Edge', enabled: false },
    });
    expect(changed).toMatchObject({ name: 'Edge', status: 'disabled' });
    await makeTask(organization, engagementId);
    expect(await take(appliance)).toEqual([]);
    await admin.ok('updateAppliance', { params: { id }, body: { enabled: true } });
    expect(await take(appliance)).toHaveLength(1);
    expect((await admin.ok('searchAppliances', { query: { search: 'edge' } })).data.map((one) => one.id)).toEqual([id]);
    expect((await admin.ok('listAppliances')).totalCount).toBe(1);
    const counts = await admin.ok('countAppliancesByStatus');
    expect(counts.map(({ value, count }) => `${value} ${count}`)).toEqual([
      'online 1',
      'offline 0',
      'never_connected 0',
      'disabled 0',
    ]);
    await admin.ok('rotateApplianceCredential', { params: { id }, body: { reason: 'yearly' } });
    const { commands } = await appliance.client.ok('updateApexSession', { body: { state: 'idle' } });
    expect(commands).toEqual([{ type: 'rotate_credential', reason: 'yearly' }]);
  });

  test('takes only tasks of its zone or of no zone', async () => {
    const { organization, engagementId } = await withAppliances(system);
    const dmz = await organization.machine('apex', { zone: 'dmz' });
    const office = await organization.machine('apex', { zone: 'office' });
    const { id } = await makeCampaign(organization, engagementId, { zone: 'dmz' });
    await run(organization, id);
    expect(await take(office)).toEqual([]);
    expect(await take(dmz)).toHaveLength(1);
  });
});
