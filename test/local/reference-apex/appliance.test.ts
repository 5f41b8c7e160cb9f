import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runAppliance } from '#local/reference-apex/appliance.ts';
import { startWithProvider } from '../../functions/apex/apex-llm/world.ts';
import { makeCampaign, makeTask, openEngagement, run } from '../../support/apex.ts';
import { type LlmServer, said, startLlmServer } from '../../support/llm-server.ts';
import type { TestOrganization } from '../../support/system.ts';
import { until } from '../../support/wait.ts';

/** The reference appliance against a system of its own, whose model answers as the test says. */
let model: LlmServer;
let world: Awaited<ReturnType<typeof startWithProvider>>;
beforeAll(async () => {
  model = await startLlmServer('openai');
  world = await startWithProvider({ LLM_BASE_URL: `${model.url}/v1`, LLM_MODEL: 'test-model', LLM_SECRET: 'llm-key' });
});
afterAll(async () => {
  await model.stop();
  await world.local.stop();
});

let stateDirectory: string;
let stopping: AbortController;
let ended: Promise<void>;
beforeEach(async () => {
  stateDirectory = await mkdtemp(join(tmpdir(), 'apex-'));
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await ended;
  await rm(stateDirectory, { recursive: true });
});

async function start(organization: TestOrganization): Promise<void> {
  const linkToken = await organization.linkToken('apex');
  const options = { url: world.local.baseUrl, linkToken, stateDirectory, name: 'reference', capacity: 2 };
  ended = runAppliance(options, stopping.signal);
}

const assessment = {
  summary: 'One weak service.',
  findings: [{ id: 'weak-tls', title: 'Old TLS', severity: 'medium', target: 'shop.example.com' }],
};

const taskAfter = ({ admin }: TestOrganization, id: string, statuses: string[]) =>
  until(
    () => admin.ok('getApexTask', { params: { id } }),
    ({ status }) => statuses.includes(status),
  );

test('an appliance links, asks the model, reports findings and completes its task', async () => {
  model.answer(() => said(JSON.stringify(assessment)));
  const organization = await world.system.newOrganization();
  const engagementId = await openEngagement(organization);
  const task = await makeTask(organization, engagementId);
  await start(organization);
  expect(await taskAfter(organization, task.id, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    result: { summary: 'One weak service.' },
    usage: { inputTokens: 21, outputTokens: 9, calls: 1 },
    findings: { medium: 1 },
  });
  const found = await until(
    () => organization.admin.ok('listFindings', { query: { engagementId } }),
    ({ totalCount }) => totalCount > 0,
  );
  expect(found.data).toMatchObject([{ title: 'Old TLS', asset: { name: 'shop.example.com' }, tool: 'apex' }]);
  const { data } = await organization.admin.ok('listAppliances');
  expect(data).toMatchObject([{ name: 'reference', status: 'online', session: { state: expect.any(String) } }]);
});

test('a finding on an address of a range is reported on that address', async () => {
  const onAddress = { ...assessment.findings[0], target: '10.0.0.5' };
  model.answer(() => said(JSON.stringify({ ...assessment, findings: [onAddress] })));
  const organization = await world.system.newOrganization();
  const engagementId = await openEngagement(organization);
  await makeTask(organization, engagementId, { targets: [{ type: 'cidr', value: '10.0.0.0/28' }] });
  await start(organization);
  const found = await until(
    () => organization.admin.ok('listFindings', { query: { engagementId } }),
    ({ totalCount }) => totalCount > 0,
  );
  expect(found.data).toMatchObject([{ title: 'Old TLS', asset: { name: '10.0.0.5' } }]);
});

test('the tokens of the model count for the run of the campaign, and the work ends at their limit', async () => {
  model.answer(() => said(JSON.stringify(assessment)));
  const organization = await world.system.newOrganization();
  const engagementId = await openEngagement(organization);
  const limits = { maxTokens: 100 };
  const taskTemplates = [{ key: 'a', type: 'reconnaissance' as const, maxAttempts: 1 }];
  const { id } = await makeCampaign(organization, engagementId, { limits, taskTemplates });
  await run(organization, id);
  await start(organization);
  const campaign = await until(
    () => organization.admin.ok('getCampaign', { params: { id } }),
    ({ status }) => status !== 'running',
  );
  expect(campaign).toMatchObject({ status: 'failed', usage: { inputTokens: 0 }, tasks: { failed: 1 } });
  const { data } = await organization.admin.ok('listApexTasks', { query: { campaignId: id } });
  expect(data).toMatchObject([{ error: { code: 'budget_exhausted' } }]);
  expect(model.asked).toEqual([]);
});

test('a task that is cancelled while the model works is stopped', async () => {
  model.answer(() => 'hang');
  const organization = await world.system.newOrganization();
  const task = await makeTask(organization, await openEngagement(organization));
  await start(organization);
  await taskAfter(organization, task.id, ['running']);
  await organization.admin.ok('cancelApexTask', { params: { id: task.id } });
  expect(await taskAfter(organization, task.id, ['cancelled'])).toMatchObject({ status: 'cancelled' });
});
