import { expect, test } from 'vitest';
import { credentials } from '#shared/platform/auth/credential.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import type { scanners } from '#shared/scanning/scanners/scanner.ts';
import type { Client } from '../support/client.ts';
import { linkingTo, linkOperations, noToken, scannersOf, tokenOf } from '../support/linking.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();
const anyone = system.client();
const { link, login } = linkingTo(system);

test('linking again with the present secret gives a new secret without a second scanner or use', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner');
  const instanceId = crypto.randomUUID();
  const first = await anyone.ok('linkScanner', { body: { linkToken, name: 'north', instanceId, version: '1' } });
  const { clientId, clientSecret } = first;
  const body = { linkToken, name: 'renamed', clientId, clientSecret, version: '2' };
  const again = await anyone.ok('linkScanner', { body });
  expect(again).toMatchObject({ id: first.id, clientId: first.clientId });
  expect((await login(again.clientId, again.clientSecret)).status).toBe(200);
  expect(await login(first.clientId, first.clientSecret)).toMatchObject({ body: { code: 'invalid_client' } });
  const { data, totalCount } = await scannersOf(organization);
  expect(totalCount).toBe(1);
  expect(data[0]).toMatchObject({ name: 'north', softwareVersion: '2' });
  expect(await tokenOf(organization)).toMatchObject({ uses: 1 });
});

test.each(linkOperations)(
  '%s takes no %s over by its instance id: the newcomer is another machine',
  async (name, kind, entity) => {
    const organization = await system.newOrganization();
    const instanceId = crypto.randomUUID();
    const linkToken = await organization.linkToken(kind, { maxUses: 5 });
    const victim = await anyone.ok(name, { body: { linkToken, name: 'victim', instanceId } });
    const other = await anyone.ok(name, { body: { linkToken, name: 'other', instanceId: crypto.randomUUID() } });
    const [{ clientId }, { clientSecret }] = [victim, other];
    for (const claim of [{}, { clientId }, { clientId, clientSecret }]) {
      const newcomer = await anyone.ok(name, { body: { linkToken, name: 'newcomer', instanceId, ...claim } });
      expect(newcomer.id).not.toBe(victim.id);
      expect(await organization.table.get(entity as typeof scanners, newcomer.id)).toMatchObject({ instanceId: null });
    }
    expect((await login(victim.clientId, victim.clientSecret)).status).toBe(200);
    expect(await tokenOf(organization)).toMatchObject({ uses: 5, status: 'used_up' });
  },
);

test('a machine whose instance id another has links again by its client id', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 2 });
  const body = { linkToken, name: 'twin', instanceId: crypto.randomUUID() };
  await anyone.ok('linkScanner', { body });
  const { id, clientId, clientSecret } = await anyone.ok('linkScanner', { body });
  expect(await anyone.ok('linkScanner', { body: { ...body, clientId, clientSecret } })).toMatchObject({ id });
});

test.each(linkOperations)('%s links a released %s once again, for an hour', async (name, kind) => {
  const organization = await system.newOrganization();
  const release = (client: Client, id: string) => client.call('releaseMachine', { params: { id } });
  const instanceId = crypto.randomUUID();
  const body = { linkToken: await organization.linkToken(kind, { maxUses: 3 }), name: 'one', instanceId };
  const { id } = await anyone.ok(name, { body });
  expect(await release(await organization.withRole('analyst'), id)).toMatchObject({ status: 401 });
  expect(await release((await system.newOrganization()).admin, id)).toMatchObject({ body: { code: 'not_found' } });
  const { releasedUntil } = await organization.admin.ok('releaseMachine', { params: { id } });
  expect((Date.parse(releasedUntil) - Date.now()) / 60_000).toBeCloseTo(60, 0);
  const answers = await Promise.all([1, 2].map(() => anyone.ok(name, { body })));
  expect(answers.filter((answer) => answer.id === id)).toHaveLength(1);
  expect(await tokenOf(organization)).toMatchObject({ uses: 2 });
  const rows = organization.table.rows(credentials);
  await rows.set({ id }, { releasedUntil: inSeconds(-1) });
  expect((await anyone.ok(name, { body })).id).not.toBe(id);
});

test('the id of an installation is shown to administrators alone', async () => {
  const organization = await system.newOrganization();
  const [viewer, key] = [
    await organization.withRole('viewer'),
    await organization.apiKey(['scans:trigger', 'assets:read']),
  ];
  for (const [kind, path] of [
    ['scanner', 'validation-operations/scanners'],
    ['apex', 'validation-operations/apex'],
    ['agent', 'security-operations/telemetry/agents'],
  ] as const) {
    const { id } = await organization.machine(kind);
    const shown = async (client: Client) => {
      const search = kind === 'scanner' ? [] : [`${path}/search?search=${kind}`];
      const paths = [`${path}/${id}`, path, ...search].map((end) => client.send('GET', `/api/v1/${end}`));
      const bodies = (await Promise.all(paths)).map(({ body }) => Object(body));
      return bodies.map(({ data: [machine] = [undefined], ...one }) => (machine ?? one).instanceId);
    };
    expect(new Set([...(await shown(viewer)), ...(await shown(key))])).toEqual(new Set([null]));
    expect(new Set(await shown(organization.admin))).toEqual(new Set([expect.any(String)]));
  }
});

test.each(['linkScanner', 'linkAgent'] as const)(
  '%s recognizes an installation by its id in upper case',
  async (operation) => {
    const organization = await system.newOrganization();
    const linkToken = await organization.linkToken(operation === 'linkAgent' ? 'agent' : 'scanner');
    const instanceId = crypto.randomUUID();
    const first = await anyone.ok(operation, { body: { linkToken, name: 'north', instanceId } });
    const { clientSecret } = first;
    const again = await anyone.ok(operation, {
      body: { linkToken, name: 'north', instanceId: instanceId.toUpperCase(), clientSecret },
    });
    expect(again.id).toBe(first.id);
  },
);

test('a machine that links again gets the zone and group of its new token without using it up', async () => {
  const organization = await system.newOrganization();
  const { id: group } = await organization.admin.ok('createGroup', { body: { name: 'office' } });
  const linkToken = await organization.linkToken('scanner', { zone: 'dmz' });
  const { id, clientId, clientSecret } = await anyone.ok('linkScanner', { body: { linkToken, name: 'north' } });
  const fresh = await organization.linkToken('scanner', { zone: 'office', group });
  const again = await link(fresh, { clientId, clientSecret, zone: 'elsewhere' });
  expect(again.body).toMatchObject({ id, zone: 'office', groupIds: [group] });
  expect(await tokenOf(organization)).toMatchObject({ uses: 0, status: 'active' });
  expect((await scannersOf(organization)).totalCount).toBe(1);
});

test('a used-up token moves no machine that was linked with another token, not even with its secret', async () => {
  const organization = await system.newOrganization();
  const spent = await organization.linkToken('scanner');
  await link(spent, { instanceId: crypto.randomUUID() });
  const instanceId = crypto.randomUUID();
  const victim = await anyone.ok('linkScanner', {
    body: { linkToken: await organization.linkToken('scanner'), name: 'victim', instanceId },
  });
  const { clientId, clientSecret } = victim;
  for (const claim of [{ instanceId }, { clientId, clientSecret }])
    expect(await link(spent, claim)).toMatchObject(noToken);
  expect((await login(victim.clientId, victim.clientSecret)).status).toBe(200);
});

test('of simultaneous links with one secret, one stays the machine and the others are new ones', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 5 });
  const { id, clientId, clientSecret } = await anyone.ok('linkScanner', { body: { linkToken, name: 'north' } });
  const answers = await Promise.all(Array.from({ length: 4 }, () => link(linkToken, { clientId, clientSecret })));
  const own = answers.filter(({ body }) => 'id' in body && body.id === id);
  expect(own).toHaveLength(1);
  expect((await scannersOf(organization)).totalCount).toBe(4);
  expect(await tokenOf(organization)).toMatchObject({ uses: 4 });
});

test('of several machines that link simultaneously with one instance id, one has it', async () => {
  const organization = await system.newOrganization();
  const linkToken = await organization.linkToken('scanner', { maxUses: 4 });
  const instanceId = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 4 }, () => link(linkToken, { instanceId })));
  expect(new Set(answers.map(({ body }) => 'id' in body && body.id)).size).toBe(4);
  const { data } = await scannersOf(organization);
  expect(data.filter((scanner) => scanner.instanceId === instanceId)).toHaveLength(1);
});
