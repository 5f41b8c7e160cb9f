import { expect, test } from 'vitest';
import { agentMachines } from '#shared/agents/presence.ts';
import { now } from '#shared/clock.ts';
import { agents, type Software } from '#shared/entities/agent.ts';
import { assets } from '#shared/entities/asset.ts';
import type { RequestOf } from '#test/support/client.ts';
import { startSystem, type TestMachine, type TestOrganization } from '#test/support/system.ts';
import { expectExact } from '#test/support/verify.ts';

const system = startSystem();

type Report = NonNullable<RequestOf<'reportAgent'>['body']>;

const report = (agent: TestMachine, body: Report = {}) => agent.client.ok('reportAgent', { body });
const debian = { family: 'linux', name: 'Debian', version: '13', build: '6.12', architecture: 'x86_64' } as const;
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const hourAgo = (hours: number, minute = 0) =>
  new Date((Math.floor(Date.now() / 3_600_000) - hours) * 3_600_000 + minute * 60_000).toISOString();
const sample = (at: string, more = {}) => ({
  at,
  cpuPercent: 20,
  memoryPercent: 40,
  diskPercent: 60,
  rxBytes: 1_000,
  txBytes: 500,
  ...more,
});

const expectExactCounters = ({ table }: TestOrganization) => expectExact(table, [agents, assets]);

test('an agent that reports is online, and its host is an asset with its system', async () => {
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

test('the catalogues tell which systems assets and agents have, most frequent first', async () => {
  const organization = await system.newOrganization();
  const old = await organization.machine('agent', { name: 'old' });
  await report(old, { os: { ...debian, version: '12' }, hostname: 'old' });
  for (const hostname of ['one', 'two']) {
    const agent = await organization.machine('agent', { name: hostname });
    await report(agent, { os: debian, hostname });
  }
  const system13 = { family: 'linux', name: 'Debian', version: '13' };
  const viewer = await organization.withRole('viewer');
  expect(await viewer.ok('listOperatingSystems')).toEqual([
    { ...system13, assets: 2 },
    { ...system13, version: '12', assets: 1 },
  ]);
  await report(old, { os: debian });
  await organization.admin.ok('deleteAgent', { params: { id: old.id } });
  const key = await organization.apiKey(['assets:read']);
  expect(await key.ok('listAgentOperatingSystems')).toEqual([{ ...system13, agents: 2 }]);
  expect(await key.ok('listOperatingSystems')).toEqual([{ ...system13, assets: 3 }]);
  await expectExactCounters(organization);
});

test('the software of a host is kept, listed and counted, and asked for again where it is not known', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent', { name: 'host' });
  const software: Software[] = [
    { name: 'openssl', version: '3.5.1', vendor: 'Debian', purl: 'pkg:deb/debian/openssl@3.5.1' },
    { name: 'nginx', version: '1.28.0' },
  ];
  const first = await report(agent, { os: debian, hostname: 'web-1', software });
  expect(first).toMatchObject({ accepted: { software: 2 }, softwareWanted: false });
  const asset = await organization.table.get(assets, first.assetId ?? '');
  expect(asset.software).toEqual({ count: 2, changedAt: expect.any(String) });
  await report(agent, { software: software.toReversed() });
  expect(await organization.table.get(assets, asset.id)).toEqual(asset);
  const params = { id: agent.id };
  const page = await organization.admin.ok('listAgentSoftware', { params, query: { paginateSize: 1 } });
  expect(page).toMatchObject({ totalCount: 2, totalPages: 2, data: [{ name: 'nginx', version: '1.28.0' }] });
  await organization.admin.ok('updateAgent', { params, body: { zone: 'dmz' } });
  const moved = await report(agent);
  expect(moved).toMatchObject({ softwareWanted: true });
  expect(moved.assetId).not.toBe(asset.id);
  expect(await report(agent, { software })).toMatchObject({ assetId: moved.assetId, softwareWanted: false });
  expect(await organization.table.get(assets, asset.id)).toMatchObject({ zone: null, agentId: null });
});

test('an agent finds the asset that a scan made of its host', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const known = await table.create(assets, {
    type: 'host',
    value: 'web-1',
    name: 'web-1',
    zone: null,
    criticality: 'high',
    internetExposed: true,
    tags: ['shop'],
    firstSeenAt: now(),
  });
  const agent = await organization.machine('agent', { name: 'host' });
  expect(await report(agent, { os: debian, hostname: 'web-1' })).toMatchObject({ assetId: known.id });
  expect(await table.get(assets, known.id)).toMatchObject({ criticality: 'high', tags: ['shop'], agentId: agent.id });
});

test('two hosts of one name in one zone are two assets', async () => {
  const organization = await system.newOrganization();
  const [one, two] = [await organization.machine('agent'), await organization.machine('agent')];
  const [first, second] = [await report(one, { hostname: 'localhost' }), await report(two, { hostname: 'localhost' })];
  expect(second.assetId).not.toBe(first.assetId);
  expect(await report(two, { os: debian })).toMatchObject({ assetId: second.assetId });
  expect(await report(one, { os: debian })).toMatchObject({ assetId: first.assetId });
  await expectExactCounters(organization);
});

test('several first reports of one agent at once make one asset', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const answers = await Promise.all(Array.from({ length: 5 }, () => report(agent, { hostname: 'web-1', os: debian })));
  expect(new Set(answers.map(({ assetId }) => assetId)).size).toBe(1);
  expect((await organization.table.list(assets, { paginateFrom: 0, paginateSize: 10 })).totalCount).toBe(1);
  await expectExactCounters(organization);
});

test('the history of resources is exact, and the same report again changes nothing', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const samples = [
    sample(hourAgo(2, 10), { cpuPercent: 90 }),
    sample(hourAgo(2, 20)),
    sample(hourAgo(1, 5)),
    { at: hourAgo(1, 6), cpuPercent: 10.5 },
    sample(minutesAgo(72 * 60)),
  ];
  const params = { id: agent.id };
  for (let n = 0; n < 2; n++) {
    expect(await report(agent, { samples })).toMatchObject({ accepted: { samples: 4 } });
    expect(await organization.admin.ok('getAgentResources', { params, query: { resolution: 'hour' } })).toEqual({
      agentId: agent.id,
      resolution: 'hour',
      points: [
        {
          at: hourAgo(2),
          cpuPercent: { avg: 55, max: 90 },
          memoryPercent: 40,
          diskPercent: 60,
          rxBytes: 2_000,
          txBytes: 1_000,
        },
        {
          at: hourAgo(1),
          cpuPercent: { avg: 15.25, max: 20 },
          memoryPercent: 40,
          diskPercent: 60,
          rxBytes: 1_000,
          txBytes: 500,
        },
      ],
    });
  }
  const query = { from: hourAgo(3), to: minutesAgo(-1) };
  const byMinute = await organization.admin.ok('getAgentResources', { params, query });
  expect(byMinute).toMatchObject({ resolution: 'minute', points: [{ at: hourAgo(2, 10) }, {}, {}, { rxBytes: null }] });
  const days = await organization.admin.ok('getAgentResources', {
    params,
    query: { from: minutesAgo(60 * 24 * 100), resolution: 'day' },
  });
  expect(days.points.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0)).toBe(3_000);
});

test.each([
  ['a time that is none', { from: 'yesterday' }],
  ['an empty time', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  ['a resolution that is not kept', { resolution: 'second' }],
  ['a parameter that nothing reads', { step: '5' }],
])('%s is refused, so that nobody takes an empty chart for the truth', async (_, query) => {
  const organization = await system.newOrganization();
  const { id } = await organization.machine('agent');
  const path = `/api/v1/security-operations/telemetry/agents/resources/${id}`;
  expect(await organization.admin.send('GET', path, { query })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});

test('the status listing has every status in its order, by counters', async () => {
  const organization = await system.newOrganization();
  const [one] = [await organization.machine('agent'), await organization.machine('agent')];
  await report(one);
  const third = await organization.machine('agent');
  await report(third);
  await organization.admin.ok('updateAgent', { params: { id: third.id }, body: { enabled: false } });
  expect(await organization.admin.ok('countAgentsByStatus')).toEqual([
    { value: 'online', label: 'Online', count: 1 },
    { value: 'offline', label: 'Offline', count: 0 },
    { value: 'never_connected', label: 'Never connected', count: 1 },
    { value: 'disabled', label: 'Disabled', count: 1 },
  ]);
});

test('what is changed of an agent takes effect with its next report; a disabled one is not listened to', async () => {
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

test('a deleted agent can do nothing more; its host stays an asset', async () => {
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

test('an agent that links again into another zone reports for the host there', async () => {
  const organization = await system.newOrganization();
  const instanceId = crypto.randomUUID();
  const link = async (zone: string) =>
    system.client().ok('linkAgent', {
      body: { linkToken: await organization.linkToken('agent', { zone }), name: 'web', hostname: 'web-1', instanceId },
    });
  const { clientId, clientSecret } = await link('office');
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const { body: token } = await system.client().send('POST', '/api/v1/oauth/token', { body });
  const client = system.client(() => String(Object(token).access_token));
  const { assetId } = await client.ok('reportAgent', { body: {} });
  await link('dmz');
  const moved = await client.ok('reportAgent', { body: {} });
  expect(moved.assetId).not.toBe(assetId);
  expect(await organization.table.get(assets, moved.assetId ?? '')).toMatchObject({ zone: 'dmz', value: 'web-1' });
});

test('a newer agent that says more is understood, and one that says nonsense is told where', async () => {
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

test('a full inventory and two days of samples fit one report', async () => {
  const organization = await system.newOrganization();
  const agent = await organization.machine('agent');
  const software = Array.from({ length: 10_000 }, (_, n) => ({
    name: `package-${n}`,
    version: `${n % 17}.${n % 5}.${n}`,
    purl: `pkg:deb/debian/package-${n}@${n % 17}.${n % 5}.${n}?arch=amd64`,
  }));
  const samples = Array.from({ length: 1_440 }, (_, n) => sample(minutesAgo(2 * n)));
  expect(await report(agent, { software, samples })).toMatchObject({ accepted: { samples: 1_440, software: 10_000 } });
  const params = { id: agent.id };
  const { points } = await organization.admin.ok('getAgentResources', {
    params,
    query: { from: minutesAgo(3_000), resolution: 'hour' },
  });
  expect(points.reduce((sum, { rxBytes }) => sum + (rxBytes ?? 0), 0)).toBe(1_440_000);
  const page = await organization.admin.ok('listAgentSoftware', { params, query: { paginateFrom: 9_999 } });
  expect(page).toMatchObject({ totalCount: 10_000, data: [{ name: 'package-9999' }] });
});
