import { beforeAll, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { create, newAccount } from '../support/engagements.ts';
import { toolReport } from '../support/shop.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** A penetration test by people: its lead and members write what they find into the engagement. */
const system = startSystem();
let client: TestOrganization;
let lead: Client;
let member: Client;
let engagementId: string;
let leadId: string;
beforeAll(async () => {
  const provider = await system.newOrganization();
  const head = await provider.withRole('platform_owner');
  client = await system.newOrganization();
  const staff = await newAccount(system, head, { name: 'Sam', role: 'pentester' });
  const viewer = await newAccount(system, client.admin, { name: 'Vera', role: 'viewer' });
  [lead, member] = [staff.client, viewer.client];
  leadId = staff.account.id;
  const people = { leadId, memberIds: [viewer.account.id] };
  ({ id: engagementId } = await create(client.admin, { ...people, kind: 'penetration_test', taskTypes: [] }));
});

const finding = (title: string) => ({
  title,
  severity: 'high' as const,
  asset: { type: 'host' as const, value: '10.1.2.3' },
});
const titles = async (by: Client, params = { id: engagementId }) =>
  (await by.ok('listEngagementFindings', { params })).data.map(({ title }) => title);

test('the lead of the provider and a member of the client write findings of the engagement', async () => {
  const written = await lead.ok('createFinding', { body: { ...finding('Guessable password'), engagementId } });
  expect(written).toMatchObject({ engagementId, taskId: null, createdBy: { name: 'Sam' } });
  await member.ok('createFinding', { body: { ...finding('Open share'), engagementId } });
  expect(await titles(lead)).toEqual(['Open share', 'Guessable password']);
  expect(await client.admin.ok('getFinding', { params: { id: written.id } })).toMatchObject({ engagementId });
});

test('the lead imports the report of a tool and waits for its end', async () => {
  const body = { content: toolReport(['sql']), repository: 'git.example.com/acme/shop', engagementId };
  const { status, taskId } = await lead.ok('importFindings', { body, query: { waitSeconds: 20 } });
  expect(status).toBe('succeeded');
  expect((await lead.ok('getTask', { params: { id: taskId } })).status).toBe('succeeded');
  expect(await titles(lead)).toHaveLength(3);
});

test('nobody writes findings elsewhere: without the engagement, in one of others, or in one of another client', async () => {
  const { id: others } = await create(client.admin, { kind: 'penetration_test', taskTypes: [] });
  const stranger = await system.newOrganization();
  const refused = async (by: Client, more: object) => {
    const body = { ...finding('No'), ...more };
    const imported = { content: toolReport(['no']), target: '10.1.2.3', ...more };
    for (const answer of [
      await by.call('createFinding', { body }),
      await by.call('importFindings', { body: imported }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { code: expect.stringMatching(/validation_failed|not_found/) },
      });
  };
  for (const by of [lead, member]) for (const more of [{}, { engagementId: others }]) await refused(by, more);
  await refused(stranger.admin, { engagementId });
  expect((await client.admin.ok('searchFindings', { query: { search: 'No' } })).data).toEqual([]);
});

/** The status and the code of an attempt to change and to delete a finding. */
async function attempts(by: Client, id: string, query: { engagementId?: string } = {}) {
  const params = { id };
  const body = { title: 'Changed' };
  const answers = [
    await by.call('updateFinding', { params, query, body }),
    await by.call('deleteFinding', { params, query }),
  ];
  return answers.map(({ status, body: answer }) => (status === 200 ? 'done' : Object(answer).code));
}
const refused = [
  expect.stringMatching(/not_found|validation_failed/),
  expect.stringMatching(/not_found|validation_failed/),
];
const written = async (by: Client, more: object) =>
  (await by.ok('createFinding', { body: { ...finding('Weak'), ...more } })).id;

test('staff correct and delete a finding of their engagement, which the history shows', async () => {
  const id = await written(lead, { engagementId });
  const params = { id };
  const query = { engagementId };
  const body = {
    title: 'Weak cipher',
    severity: 'low' as const,
    status: 'false_positive' as const,
    reason: 'a test host',
  };
  expect(await lead.ok('updateFinding', { params, query, body })).toMatchObject({
    title: 'Weak cipher',
    severity: 'low',
  });
  const [change] = await client.admin.ok('listFindingHistory', { params });
  expect(change).toMatchObject({ by: { name: 'Sam' }, reason: 'a test host' });
  const accepted = { status: 'risk_accepted' as const, reason: 'cheap' };
  expect(await lead.call('updateFinding', { params, query, body: accepted })).toMatchObject({ status: 400 });
  await lead.ok('deleteFinding', { params, query });
  expect(await client.admin.call('getFinding', { params })).toMatchObject({ body: { code: 'not_found' } });
});

test('no other finding of the client is open to staff, nor one of an engagement that ended or is of others', async () => {
  const { id: others } = await create(client.admin, { kind: 'penetration_test', taskTypes: [] });
  const [own, apart, ofOthers] = [
    await written(lead, { engagementId }),
    await written(client.admin, {}),
    await written(client.admin, { engagementId: others }),
  ];
  const stranger = await system.newOrganization();
  const elsewhere = await written(stranger.admin, {});
  for (const id of [apart, ofOthers, elsewhere])
    for (const query of [{}, { engagementId }, { engagementId: others }])
      expect([id, await attempts(lead, id, query)]).toEqual([id, refused]);
  expect(await attempts(lead, own)).toEqual(refused);
  const ended = await create(client.admin, { leadId, kind: 'penetration_test', taskTypes: [] });
  const id = await written(lead, { engagementId: ended.id });
  await lead.ok('startEngagement', { params: { id: ended.id } });
  await lead.ok('completeEngagement', { params: { id: ended.id } });
  expect(await attempts(lead, id, { engagementId: ended.id })).toEqual(refused);
  for (const one of [own, apart, ofOthers, id])
    expect(await client.admin.ok('getFinding', { params: { id: one } })).toMatchObject({ title: 'Weak' });
});

test('people and keys of the client change findings as before, and none of another engagement than they name', async () => {
  const { id: others } = await create(client.admin, { kind: 'penetration_test', taskTypes: [] });
  const id = await written(lead, { engagementId });
  const key = await client.apiKey(['findings:write']);
  expect(await attempts(member, id)).toEqual(['insufficient_scope', 'insufficient_scope']);
  expect(await attempts(key, id, { engagementId: others })).toEqual(refused);
  expect(await attempts(key, id)).toEqual(['done', 'done']);
  const [apart] = [await written(client.admin, {})];
  expect(await attempts(client.admin, apart, { engagementId })).toEqual(refused);
  expect(await attempts(client.admin, apart)).toEqual(['done', 'done']);
});
