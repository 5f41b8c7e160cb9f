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
beforeAll(async () => {
  const provider = await system.newOrganization();
  const head = await provider.withRole('platform_owner');
  client = await system.newOrganization();
  const staff = await newAccount(system, head, { name: 'Sam', role: 'pentester' });
  const viewer = await newAccount(system, client.admin, { name: 'Vera', role: 'viewer' });
  [lead, member] = [staff.client, viewer.client];
  const people = { leadId: staff.account.id, memberIds: [viewer.account.id] };
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
