import { expect, test } from 'vitest';
import { createLinkToken } from '#shared/credentials/issue.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { VERSION } from '#shared/platform/runtime/version.ts';
import { agents } from '#shared/scanning/agents/agent.ts';
import { scanners } from '#shared/scanning/scanners/scanner.ts';
import { linkingTo, linkOperations, noToken, scannersOf, tokenOf } from '../support/linking.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const anyone = system.client();
const { link, login } = linkingTo(system);

test('a scanner links once, is listed and gets its own credential', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner');
  const instanceId = crypto.randomUUID();
  const says = { version: '2.1.0', platform: 'linux', hostname: 'scan-1', taskTypes: ['network', 'quantum'] };
  const answer = await anyone.ok('linkScanner', { body: { linkToken, instanceId, name: 'north', ...says } });
  expect(answer).toEqual({
    id: expect.any(String),
    clientId: expect.stringMatching(/^exc_/),
    clientSecret: expect.stringMatching(/^exs_/),
    tokenUrl: `${system.baseUrl}/api/v1/oauth/token`,
    pollAfterSeconds: expect.any(Number),
    zone: null,
    groupIds: [],
    serverVersion: VERSION,
  });
  expect((await login(answer.clientId, answer.clientSecret)).status).toBe(200);
  expect(await organization.table.get(scanners, answer.id)).toMatchObject({
    name: 'north',
    instanceId,
    softwareVersion: '2.1.0',
    platform: 'linux',
    hostname: 'scan-1',
    supportedTaskTypes: ['network'],
    status: 'never_connected',
    createdBy: { kind: 'machine', id: answer.id, name: 'north' },
  });
  expect(await tokenOf(organization)).toMatchObject({ uses: 1, status: 'used_up' });
});

test.each(linkOperations)(
  '%s links a machine of its kind and refuses the token of another kind',
  async (name, kind, entity) => {
    const organization = await system.newOrganization();
    const wrong = await organization.linkToken(kind === 'collector' ? 'scanner' : 'collector');
    expect(await anyone.call(name, { body: { linkToken: wrong, name: 'one' } })).toMatchObject(noToken);
    const linkToken = await organization.linkToken(kind, { zone: 'dmz' });
    const answer = await anyone.ok(name, { body: { linkToken, name: 'one', zone: 'office', future: 1 } as never });
    expect(answer).toMatchObject({ zone: 'dmz', groupIds: [] });
    expect(await organization.table.get(entity as typeof scanners, answer.id)).toMatchObject({
      name: 'one',
      zone: 'dmz',
    });
    expect(await login(answer.clientId, answer.clientSecret)).toMatchObject({ body: { scope: `machine:${kind}` } });
  },
);

test("the token's zone and group replace those of the machine", async () => {
  const organization = await system.newOrganization();
  const { id: group } = await organization.admin.ok('createGroup', { body: { name: 'office' } });
  const placed = await link(await organization.linkToken('scanner', { zone: 'dmz', group }), { zone: 'office' });
  expect(placed.body).toMatchObject({ zone: 'dmz', groupIds: [group] });
  const free = await link(await organization.linkToken('scanner'), { zone: 'office' });
  expect(free.body).toMatchObject({ zone: 'office', groupIds: [] });
  // Zones are compared without spaces: tasks of the zone could not reach the scanner otherwise.
  const blank = await link(await organization.linkToken('scanner'), { zone: ' office ' });
  expect(blank.body).toMatchObject({ zone: 'office' });
});

test("a scanner does not join its token's group if that was deleted", async () => {
  const organization = await system.newOrganization();
  const { id } = await organization.admin.ok('createGroup', { body: { name: 'office' } });
  const linkToken = await organization.linkToken('scanner', { group: id, zone: 'dmz' });
  await organization.admin.ok('deleteGroup', { params: { id } });
  expect((await link(linkToken)).body).toMatchObject({ groupIds: [], zone: 'dmz' });
});

test('a used-up token links no second machine, with or without an instance id', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 2 });
  for (const name of ['one', 'two']) expect((await link(linkToken, { name })).status).toBe(200);
  for (const more of [{}, { instanceId: crypto.randomUUID() }])
    expect(await link(linkToken, more)).toMatchObject(noToken);
  expect((await scannersOf(organization)).totalCount).toBe(2);
  expect(await tokenOf(organization)).toMatchObject({ uses: 2, status: 'used_up' });
});

test('only one of two machines that present the last use simultaneously is linked', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 3 });
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => link(linkToken, { name: `s${n}`, instanceId: crypto.randomUUID() })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 401, 401, 401]);
  expect((await scannersOf(organization)).totalCount).toBe(3);
  expect(await tokenOf(organization)).toMatchObject({ uses: 3, status: 'used_up' });
});

test('an expired or revoked token links no machine, not even one that it linked before', async () => {
  const organization = await system.newOrganization();
  const { table } = organization;
  const limits = { kind: 'scanner', maxUses: 5, zone: null, group: null } as const;
  const over = await createLinkToken(table, { ...limits, expiresAt: inSeconds(-1) });
  expect(await link(over.linkToken)).toMatchObject(noToken);
  expect(await organization.admin.ok('getLinkToken', { params: { id: over.id } })).toMatchObject({ status: 'expired' });
  const { id, linkToken } = await createLinkToken(table, { ...limits, expiresAt: inSeconds(60) });
  const instanceId = crypto.randomUUID();
  const linked = await anyone.ok('linkScanner', { body: { linkToken, name: 'north', instanceId } });
  await revoke(table, linkTokens, id);
  for (const more of [{}, { instanceId }]) expect(await link(linkToken, more)).toMatchObject(noToken);
  expect((await login(linked.clientId, linked.clientSecret)).status).toBe(200);
});

test('a token that is revoked while machines link stays revoked and links no more machines', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 100 });
  const { id = '' } = (await tokenOf(organization)) ?? {};
  const linking = Promise.all(Array.from({ length: 12 }, (_, n) => link(linkToken, { name: `s${n}` })));
  await until(
    () => tokenOf(organization),
    (token) => (token?.uses ?? 0) > 0,
  );
  await organization.admin.ok('revokeLinkToken', { params: { id } });
  const { uses } = await organization.admin.ok('getLinkToken', { params: { id } });
  const answers = await linking;
  expect(await tokenOf(organization)).toMatchObject({ uses, status: 'revoked' });
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(uses);
  expect((await scannersOf(organization)).totalCount).toBe(uses);
});

test('an invalid link token is refused, and no machine is made', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner');
  const { secret } = await organization.admin.ok('createApiKey', { body: { name: 'x', scopes: ['findings:read'] } });
  for (const wrong of ['x', 'exl_', secret, secret.replace('exk', 'exl'), linkToken.slice(0, -1), `${linkToken} `])
    expect(await link(wrong)).toMatchObject(noToken);
  expect((await scannersOf(organization)).totalCount).toBe(0);
});

test.each([
  ['no link token', { name: 'north' }, 'linkToken'],
  ['no name', { linkToken: 'x' }, 'name'],
  ['an invalid instance id', { linkToken: 'x', name: 'north', instanceId: 'me' }, 'instanceId'],
  ['a name that is a number', { linkToken: 'x', name: 5 }, 'name'],
])('a link request with %s is refused with the name of the wrong field', async (_, body, path) => {
  const answer = await anyone.send('POST', '/api/v1/scanner_communication/link', { body });
  expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
});

test('an agent gets the operating system of its link operation', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('agent', { maxUses: 5 });
  const os = { name: 'Debian', version: '13' };
  const { id } = await anyone.ok('linkLinuxAgent', { body: { linkToken, name: 'web-1', os } });
  expect(await organization.table.get(agents, id)).toMatchObject({ os: { family: 'linux', ...os } });
  expect(
    await anyone.call('linkMacosAgent', { body: { linkToken, name: 'web-1', os: { ...os, family: 'linux' } } }),
  ).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path: 'os.family' }] } });
  expect(await anyone.call('linkAgent', { body: { linkToken, name: 'web-1', os } })).toMatchObject({ status: 400 });
  expect(await tokenOf(organization)).toMatchObject({ uses: 1 });
});

test('a deleted scanner links as a new one and needs another use of the token', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 2 });
  const body = { linkToken, name: 'north', instanceId: crypto.randomUUID() };
  const first = await anyone.ok('linkScanner', { body });
  await organization.admin.ok('deleteScanner', { params: { id: first.id } });
  expect(await login(first.clientId, first.clientSecret)).toMatchObject({ body: { code: 'invalid_client' } });
  const second = await anyone.ok('linkScanner', { body });
  expect(second.id).not.toBe(first.id);
  expect(await tokenOf(organization)).toMatchObject({ uses: 2, status: 'used_up' });
});
