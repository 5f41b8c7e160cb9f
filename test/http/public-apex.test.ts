import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runAppliance } from '#local/reference-apex/appliance.ts';
import { apexTasks } from '#shared/apex/apex-task.ts';
import { ORGANIZATION_TOKENS, tokensLeftThisMonth } from '#shared/apex/budget.ts';
import { end, makeCampaign, makeTask, openEngagement, run, take, template, upload } from '../support/apex.ts';
import { said } from '../support/llm-server.ts';
import { PUBLIC, type SharedSystem, setPublic, startShared } from '../support/public-apex.ts';
import type { TestMachine } from '../support/system.ts';
import { until } from '../support/wait.ts';

let shared: SharedSystem;
beforeAll(async () => {
  shared = await startShared();
});
afterEach(() => shared.clear());
afterAll(() => shared.stop());

const assessment = {
  summary: 'One weak service.',
  findings: [{ id: 'weak-tls', title: 'Old TLS', severity: 'medium', target: 'shop.example.com' }],
};

/** The reference appliance of a provider: linked, made public, then running. */
async function startReference() {
  const provider = await shared.system.newOrganization();
  const staff = await provider.withRole('platform_owner');
  const stateDirectory = await mkdtemp(join(tmpdir(), 'public-apex-'));
  const linkToken = await provider.linkToken('apex');
  const options = { url: shared.local.baseUrl, linkToken, stateDirectory, name: 'reference', capacity: 2 };
  const first = new AbortController();
  const linking = runAppliance(options, first.signal);
  const [linked] = await until(
    async () => (await staff.ok('listPublicAppliances')).data,
    (data) => data.length > 0,
  );
  first.abort();
  await linking;
  await setPublic(staff, linked?.id ?? '');
  const stopping = new AbortController();
  const start = () => runAppliance(options, stopping.signal);
  return {
    provider,
    staff,
    start,
    async stop(running: Promise<void>) {
      stopping.abort();
      await running;
      await rm(stateDirectory, { recursive: true });
    },
  };
}

describe('a public appliance', () => {
  test("carries out a client's campaign: findings, tokens and result belong to the client alone", async () => {
    shared.model.answer(() => said(JSON.stringify(assessment)));
    const { provider, staff, start, stop } = await startReference();
    const { client, engagementId, read, tasks } = await shared.newClient();
    const running = start();
    const done = await until(read, ({ status }) => status !== 'running');
    await stop(running);
    expect(done).toMatchObject({
      status: 'completed',
      usage: { inputTokens: 21, outputTokens: 9, calls: 1 },
      findings: { medium: 1 },
    });
    const found = await until(
      () => client.admin.ok('listFindings', { query: { engagementId } }),
      ({ totalCount }) => totalCount > 0,
    );
    expect(found.data).toMatchObject([{ title: 'Old TLS', asset: { name: 'shop.example.com' }, tool: 'apex' }]);
    expect(await tokensLeftThisMonth(client.table)).toBe(ORGANIZATION_TOKENS - 30);
    expect(await tokensLeftThisMonth(provider.table)).toBe(ORGANIZATION_TOKENS);

    const [task] = await tasks();
    expect(task).toMatchObject({ appliance: { name: 'reference' }, providerId: provider.organizationId });
    const id = task?.id ?? '';
    for (const reader of [provider.admin, staff]) {
      expect(await reader.call('getApexTask', { params: { id } })).not.toMatchObject({ status: 200 });
      for (const ingest of task?.ingestTaskIds ?? [])
        expect(await reader.call('getTask', { params: { id: ingest } })).not.toMatchObject({ status: 200 });
      const seen = await reader.call('getEngagementScope', { params: { id: engagementId } });
      expect(seen).not.toMatchObject({ status: 200 });
    }
    for (const list of ['listFindings', 'listApexTasks', 'listCampaigns'] as const)
      expect((await provider.admin.ok(list)).totalCount).toBe(0);
  });

  test('asks the model for the client, and only the client reads the answer', async () => {
    shared.model.answer(() => said('Nothing.'));
    const { provider, staff, appliance, newAppliance } = await shared.newProvider();
    const other = await newAppliance();
    const { client } = await shared.newClient({ limits: { maxTokens: 5000 } });
    const [task] = await take(appliance);
    const ask = (machine: TestMachine) =>
      machine.client.call('submitCompletion', {
        body: { taskId: task?.id ?? '', idempotencyKey: 'a', messages: [{ role: 'user', content: 'What?' }] },
      });
    expect(await ask(other)).toMatchObject({ status: 400, body: { code: 'conflict' } });
    const first = await ask(appliance);
    expect(await ask(appliance)).toMatchObject({ status: 200, body: { requestID: Object(first.body).requestID } });
    const params = { requestID: String(Object(first.body).requestID) };
    const answer = await until(
      () => appliance.client.ok('getCompletion', { params, query: { waitSeconds: 20 } }),
      ({ status }) => status !== 'queued' && status !== 'running',
    );
    expect(answer).toMatchObject({ status: 'succeeded', budget: { tokensLeft: 4970 } });
    for (const reader of [other.client, (await client.machine('apex')).client])
      expect(await reader.call('getCompletion', { params })).toMatchObject({ body: { code: 'not_found' } });
    for (const reader of [provider.admin, staff])
      expect(await reader.call('getTask', { params: { id: params.requestID } })).not.toMatchObject({ status: 200 });
    await end(appliance, task?.id ?? '');
    expect(await appliance.client.ok('getCompletion', { params })).toMatchObject({ status: 'succeeded' });
  });

  test('sees only the engagement of its lease, and only during the lease', async () => {
    const { appliance } = await shared.newProvider();
    const [one, two] = [await shared.newClient(), await shared.newClient()];
    const scope = (id: string) => appliance.client.call('getEngagementScope', { params: { id } });
    expect(await scope(one.engagementId)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    const [task] = await take(appliance, 1);
    const [held, refused] = task?.engagementId === one.engagementId ? [one, two] : [two, one];
    expect(await scope(held.engagementId)).toMatchObject({ status: 200, body: { totalCount: 3 } });
    expect(await scope(refused.engagementId)).toMatchObject({ status: 400, body: { code: 'not_found' } });
    await end(appliance, task?.id ?? '');
    expect(await scope(held.engagementId)).toMatchObject({ status: 400, body: { code: 'not_found' } });
  });

  test('delivers findings and reports only to the owner of the task', async () => {
    const { provider, appliance } = await shared.newProvider();
    const { client, engagementId } = await shared.newClient();
    const [task] = await take(appliance);
    const taskId = task?.id ?? '';
    const findings = [
      { externalId: 'a', title: 'A', severity: 'high', target: { type: 'host', value: '198.51.100.1' } },
    ];
    const body = { taskId, findings, organizationId: provider.organizationId };
    const sent = await appliance.client.send('POST', '/api/v1/apex_communication/findings', { body });
    expect(sent).toMatchObject({ status: 200, body: { results: [{ accepted: true }] } });
    const read = await appliance.client.ok('getTask', { params: { id: Object(sent.body).taskId } });
    expect(read).toMatchObject({ operation: 'ingest_report' });
    const content = JSON.stringify([
      { externalId: 'b', title: 'B', severity: 'low', target: { type: 'host', value: '198.51.100.2' } },
    ]);
    const ended = await end(appliance, taskId, 'completed', { reports: [{ format: 'apex', content }] });
    expect(ended).toMatchObject({ accepted: true, ingestTaskIds: [expect.any(String)] });
    expect(await end(appliance, taskId, 'completed')).toEqual(ended);
    const found = await until(
      () => client.admin.ok('listFindings', { query: { engagementId } }),
      ({ totalCount }) => totalCount === 2,
    );
    expect(found.data.map(({ title }) => title).toSorted()).toEqual(['A', 'B']);
    expect((await provider.admin.ok('listFindings')).totalCount).toBe(0);
    expect(await client.table.find(apexTasks, taskId)).toMatchObject({ status: 'completed', findings: { high: 1 } });
  });

  test('uploads at its provider the reports, evidence and artifacts of the client', async () => {
    const { provider, staff, appliance } = await shared.newProvider();
    const { client, engagementId } = await shared.newClient();
    const [task] = await take(appliance);
    const taskId = task?.id ?? '';
    const target = { type: 'host' as const, value: '198.51.100.1' };
    const evidence = [{ kind: 'screenshot' as const, uploadId: await upload(appliance, 'a picture') }];
    const findings = [{ externalId: 'a', title: 'A', severity: 'high', target, evidence }];
    expect(await appliance.client.ok('reportApexFindings', { body: { taskId, findings } })).toMatchObject({
      results: [{ accepted: true }],
    });
    const content = JSON.stringify([{ externalId: 'b', title: 'B', severity: 'low', target }]);
    const uploadId = await upload(appliance, 'an archive');
    const more = {
      reports: [{ format: 'apex', uploadId: await upload(appliance, content) }],
      artifacts: [{ name: 'all', mediaType: 'application/zip', uploadId }],
    };
    expect(await end(appliance, taskId, 'completed', more)).toMatchObject({ accepted: true });
    await until(
      () => client.admin.ok('listFindings', { query: { engagementId } }),
      ({ totalCount }) => totalCount === 2,
    );
    for (const fileId of [uploadId, evidence[0]?.uploadId ?? '']) {
      const params = { id: taskId, fileId };
      const { url } = await client.admin.ok('getApexTaskFile', { params });
      expect(await (await fetch(url)).text()).toMatch(/^an? /);
      for (const reader of [provider.admin, staff])
        expect(await reader.call('getApexTaskFile', { params })).not.toMatchObject({ status: 200 });
    }
  });

  test('takes tasks of its own organization only as tasks of any client', async () => {
    const { provider, appliance } = await shared.newProvider();
    const engagementId = await openEngagement(provider, false, PUBLIC);
    await makeTask(provider, engagementId);
    const named = await provider.machine('apex');
    const wish = { applianceIds: [named.id] };
    const { id } = await makeCampaign(provider, engagementId, { usePublicApex: true });
    await run(provider, id);
    const [task, ...more] = await take(appliance);
    expect([task?.campaignId, more]).toEqual([id, []]);
    const params = { id: task?.id ?? '' };
    await provider.admin.ok('cancelApexTask', { params });
    expect(await end(appliance, params.id, 'cancelled')).toMatchObject({ accepted: true });
    expect(await provider.admin.ok('getApexTask', { params })).toMatchObject({ status: 'cancelled' });

    const late = await makeCampaign(provider, engagementId, wish);
    await setPublic(await provider.withRole('platform_owner'), named.id);
    await expect(run(provider, late.id)).rejects.toThrow('is public: run a campaign with usePublicApex');
  });

  test('takes tasks for public appliances only while it is public, and no private appliance takes them', async () => {
    const { provider, staff, appliance } = await shared.newProvider();
    const stranger = await (await shared.system.newOrganization()).machine('apex');
    const colleague = await provider.machine('apex');
    const { client, tasks } = await shared.newClient({ taskTemplates: [template('a')] });
    const own = await client.machine('apex');
    for (const machine of [stranger, colleague, own]) expect(await take(machine)).toEqual([]);
    const [task] = await tasks();
    for (const machine of [stranger, colleague, own])
      expect(await end(machine, task?.id ?? '')).toMatchObject({ accepted: false });
    await setPublic(staff, appliance.id, false);
    expect(await take(appliance)).toEqual([]);
    await setPublic(staff, appliance.id);
    expect(await take(appliance)).toMatchObject([{ id: task?.id }]);
    // An appliance that is no longer public finishes its tasks.
    await setPublic(staff, appliance.id, false);
    expect(await end(appliance, task?.id ?? '')).toMatchObject({ accepted: true });
  });
});

describe('making an appliance public', () => {
  test('is for staff of the provider: administrators and the appliance itself are refused', async () => {
    const { provider, staff, appliance } = await shared.newProvider();
    const params = { id: appliance.id };
    const body = { public: false };
    expect(await provider.admin.call('updatePublicAppliance', { params, body })).toMatchObject({ status: 401 });
    expect(await provider.admin.call('updateAppliance', { params, body: body as never })).toMatchObject({
      status: 400,
      body: { code: 'read_only' },
    });
    const shown = await provider.admin.ok('getAppliance', { params });
    expect(shown.public).toBe(true);
    expect(await provider.admin.ok('updateAppliance', { params, body: { ...shown, notes: 'n' } })).toMatchObject({
      public: true,
      notes: 'n',
    });
    expect(await staff.ok('getPublicAppliance', { params })).toMatchObject({ public: true });
  });

  test('means that tasks and campaigns can no longer name the appliance', async () => {
    const { provider, appliance } = await shared.newProvider();
    const engagementId = await openEngagement(provider, false, PUBLIC);
    const refusal = async (path: string, body: object) => {
      const answer = await provider.admin.send('POST', `/api/v1/validation-operations/apex/${path}`, { body });
      return `${answer.status} ${Object(answer.body).message}`;
    };
    const work = { engagementId, objective: 'x' };
    const campaign = { ...work, name: 'x', taskTemplates: [template('a')] };
    const applianceIds = [appliance.id];
    expect(await refusal('campaigns', { ...campaign, applianceIds })).toMatch(/^400 applianceIds.*usePublicApex/);
    const task = { ...work, type: 'reconnaissance', applianceId: appliance.id };
    expect(await refusal('tasks', task)).toMatch(/^400 applianceId.*usePublicApex/);
    const both = { ...campaign, usePublicApex: true };
    for (const more of [{ zone: 'dmz' }, { applianceIds: [(await provider.machine('apex')).id] }])
      expect(await refusal('campaigns', { ...both, ...more })).toMatch(/^400 usePublicApex/);
  });
});
