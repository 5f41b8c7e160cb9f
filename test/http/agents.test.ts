import { expect, test } from 'vitest';
import { assets } from '#shared/assets/asset/asset.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { debian, expectExactCounters, minutesAgo, report, sample } from '../support/agents.ts';
import { bare } from '../support/bare.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

test('an agent that reports is online, and its host is an asset with its operating system', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent', { zone: 'office', name: 'first' });
  const answer = await report(agent, {
    os: debian,
    hostname: 'WEB-1.example.com.',
    addresses: ['10.0.0.7'],
    version: '2.0',
  });
  expect(answer).toEqual({
    assetId: expect.any(String),
    accepted: { samples: 0, software: 0 },
    softwareWanted: true,
    nextReportSeconds: 60,
  });
  expect(await organization.admin.ok('getAgent', { params: { id: agent.id } })).toMatchObject({
    name: 'first',
    hostname: 'WEB-1.example.com.',
    softwareVersion: '2.0',
    os: debian,
    addresses: ['10.0.0.7'],
    zone: 'office',
    status: 'online',
    assetId: answer.assetId,
    lastSeenAt: expect.any(String),
    reportIntervalSeconds: 60,
  });
  expect(await organization.table.get(assets, answer.assetId ?? '')).toMatchObject({
    type: 'host',
    value: 'web-1.example.com',
    zone: 'office',
    os: { family: 'linux', name: 'Debian', version: '13' },
    agentId: agent.id,
    createdBy: { kind: 'machine', id: agent.id },
  });
  const { data } = await organization.admin.ok('searchAgents', { query: { search: 'web-1' } });
  expect(data.map(({ id, status }) => ({ id, status }))).toEqual([{ id: agent.id, status: 'online' }]);
  await expectExactCounters(organization);
});

test('the counts by status show every status in a fixed order', async () => {
  const organization = await system.newOrganization();
  const [one] = [await organization.machine('agent'), await organization.machine('agent')];
  await report(one);
  const third = await organization.machine('agent');
  await report(third);
  await organization.admin.ok('updateAgent', { params: { id: third.id }, body: { enabled: false } });
  expect(bare(await organization.admin.ok('countAgentsByStatus'))).toEqual([
    { value: 'online', label: 'Online', count: 1 },
    { value: 'offline', label: 'Offline', count: 0 },
    { value: 'never_connected', label: 'Never connected', count: 1 },
    { value: 'disabled', label: 'Disabled', count: 1 },
  ]);
});

test('changed settings of an agent apply from its next report; reports of a disabled agent are ignored', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  await report(agent, { hostname: 'web-1' });
  const params = { id: agent.id };
  const read = await organization.admin.ok('getAgent', { params });
  const changes = { name: 'renamed', tags: ['shop'], reportIntervalSeconds: 300 };
  const updated = await organization.admin.ok('updateAgent', { params, body: { ...read, ...changes } });
  expect(updated).toMatchObject({ ...changes, status: 'online', hostname: 'web-1' });
  expect(await report(agent)).toMatchObject({ nextReportSeconds: 300 });
  expect(await organization.admin.call('updateAgent', { params, body: { assetId: agent.id } })).toMatchObject({
    status: 400,
    body: { code: 'read_only' },
  });
  await organization.admin.ok('updateAgent', { params, body: { enabled: false } });
  const samples = [sample(minutesAgo(1))];
  expect(await report(agent, { samples })).toMatchObject({ accepted: { samples: 0 }, softwareWanted: false });
  expect(await organization.admin.ok('getAgentResources', { params })).toMatchObject({ points: [] });
  await organization.admin.ok('updateAgent', { params, body: { enabled: true } });
  expect(await report(agent, { samples })).toMatchObject({ accepted: { samples: 1 } });
  expect(await organization.admin.ok('getAgent', { params })).toMatchObject({ status: 'online' });
  await expectExactCounters(organization);
});

test('group ids of agents and appliances are stored unchecked, unlike those of scanners', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const body = { groupIds: [newId()] };
  const params = async (kind: 'agent' | 'apex' | 'scanner') => ({ id: (await organization.machine(kind)).id });
  expect(await admin.ok('updateAgent', { params: await params('agent'), body })).toMatchObject(body);
  expect(await admin.ok('updateAppliance', { params: await params('apex'), body })).toMatchObject(body);
  expect(await admin.call('updateScanner', { params: await params('scanner'), body })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'groupIds.0' }] },
  });
});

test('a deleted agent is refused, and the asset of its host stays', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const { assetId } = await report(agent, { hostname: 'web-1', os: debian });
  const params = { id: agent.id };
  expect(await organization.admin.ok('deleteAgent', { params })).toEqual({
    id: agent.id,
    deletedAt: expect.any(String),
  });
  expect(await agent.client.call('reportAgent', { body: {} })).toMatchObject({ status: 401 });
  expect(await organization.admin.call('getAgent', { params })).toMatchObject({ body: { code: 'not_found' } });
  expect(await organization.table.rows(agentMachines.rows).find({ machineId: agent.id })).toBeUndefined();
  expect(await organization.table.get(assets, assetId ?? '')).toMatchObject({ agentId: null, os: { name: 'Debian' } });
  const successor = await organization.machine('agent');
  expect(await report(successor, { hostname: 'web-1' })).toMatchObject({ assetId });
  await expectExactCounters(organization);
});

test('an agent that links again into another zone reports for the host of that zone', async () => {
  const organization = await system.newOrganization();
  const instanceId = crypto.randomUUID();
  const link = async (zone: string, secret?: string) => {
    const linkToken = await organization.linkToken('agent', { zone });
    const body = { linkToken, name: 'web', hostname: 'web-1', instanceId, clientSecret: secret };
    return system.client().ok('linkAgent', { body });
  };
  const clientOf = async ({ clientId, clientSecret }: Awaited<ReturnType<typeof link>>) => {
    const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body: token } = await system.client().send('POST', '/api/v1/oauth/token', { body });
    return system.client(() => String(Object(token).access_token));
  };
  const first = await link('office');
  const { assetId } = await (await clientOf(first)).ok('reportAgent', { body: {} });
  const client = await clientOf(await link('dmz', first.clientSecret));
  const moved = await client.ok('reportAgent', { body: {} });
  expect(moved.assetId).not.toBe(assetId);
  expect(await organization.table.get(assets, moved.assetId ?? '')).toMatchObject({ zone: 'dmz', value: 'web-1' });
});

test('unknown fields of a newer agent are ignored, and a wrong field is named', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  expect(await agent.client.call('reportAgent', { body: { hostname: 'a', firmware: 1 } as never })).toMatchObject({
    status: 200,
  });
  const refused = (path: string) => ({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  const call = (body: unknown) => agent.client.call('reportAgent', { body: body as never });
  expect(await call({ samples: [{ at: 'now' }] })).toMatchObject(refused('samples.0.at'));
  expect(await call({ software: [{ name: 'x' }] })).toMatchObject(refused('software.0.version'));
  expect(await call({ os: { name: 'Plan 9' } })).toMatchObject(refused('os.family'));
  const many = Array.from({ length: 1_441 }, (_, n) => ({ at: minutesAgo(n) }));
  expect(await call({ samples: many })).toMatchObject(refused('samples'));
});
