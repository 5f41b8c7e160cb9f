import { afterAll, expect, test } from 'vitest';
import { verifyDomain } from '#functions/people/sign-in/identity-providers/domains.ts';
import { work } from '#functions/workers/sweeper/work.ts';
import { identityProviders } from '#shared/people/identity-provider.ts';
import { providerOf } from '#shared/people/proved-domain.ts';
import { setClock } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { lettersTo, letterTo, personIn } from '../support/people.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { timersOf } from '../support/timers.ts';

const system = startSystem();
const records = new Map<string, string[]>();
const dns = await startDnsServer(records);
afterAll(dns.stop);

/** The service with the name server of the test. */
const connections = { ...system.connections, settings: { ...system.connections.settings, DNS_SERVERS: dns.address } };
const conflict = (message: RegExp) => ({
  status: 400,
  body: { code: 'conflict', message: expect.stringMatching(message) },
});

async function draftIn({ admin }: TestOrganization): Promise<string> {
  return (await admin.ok('createIdentityProvider', { body: { kind: 'oidc', name: 'Example login' } })).id;
}

test('a domain routes sign-ins once its record is in DNS and the provider is active, and belongs to one provider', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const [id, foreign] = [await draftIn(own), await draftIn(other)];
  const name = `${newId()}.example`;
  const add = (organization: TestOrganization, to: string) =>
    organization.admin.call('addProviderDomain', { params: { id: to }, body: { name: name.toUpperCase() } });
  const added = await own.admin.ok('addProviderDomain', { params: { id }, body: { name } });
  const [{ status, dnsRecord } = { status: '', dnsRecord: { name: '', value: '' } }] = added.domains;
  expect({ status, dnsRecord }).toEqual({
    status: 'pending',
    dnsRecord: {
      type: 'TXT',
      name: `_exposure-challenge.${name}`,
      value: expect.stringMatching(/^exposure-domain=\w{40,}$/),
    },
  });
  const verify = () => verifyDomain({ connections, table: own.table }, { id, name });
  await expect(verify()).rejects.toThrow(/answer 0 TXT records/);
  records.set(dnsRecord.name, ['exposure-domain=of-somebody-else']);
  await expect(verify()).rejects.toThrow(/none with the value/);
  expect((await add(other, foreign)).status).toBe(200);
  records.set(dnsRecord.name, ['v=spf1 -all', dnsRecord.value]);
  expect((await verify()).domains).toMatchObject([{ name, status: 'verified' }]);
  expect((await verify()).domains).toMatchObject([{ name, status: 'verified' }]);
  const theirs = await other.admin.ok('getIdentityProvider', { params: { id: foreign } });
  const [{ dnsRecord: second } = { dnsRecord: { name: '', value: '' } }] = theirs.domains;
  records.set(second.name, [second.value]);
  const steal = verifyDomain({ connections, table: other.table }, { id: foreign, name });
  await expect(steal).rejects.toThrow(/belongs to another identity provider/);
  await expect(steal).rejects.not.toThrow(own.organizationId);
  const third = await system.newOrganization();
  expect(await add(third, await draftIn(third))).toMatchObject(conflict(/belongs to another identity provider/));
  const find = () => system.client().ok('findSignInProvider', { body: { email: `nobody@${name}` } });
  expect(await find()).toEqual({ provider: null });
  await own.admin.ok('removeProviderDomain', { params: { id, name } });
  expect((await verifyDomain({ connections, table: other.table }, { id: foreign, name })).domains).toMatchObject([
    { status: 'verified' },
  ]);
  await other.admin.ok('deleteIdentityProvider', { params: { id: foreign } });
  expect((await add(third, await draftIn(await system.newOrganization()))).status).toBe(400);
});

test.each(['co.uk', 'com', 'github.io', 'gmail.com', '192.0.2.1', 'localhost', 'not a domain', 'a..example.org'])(
  'nobody proves %s: it is of no organization',
  async (name) => {
    const organization = await system.newOrganization();
    const params = { id: await draftIn(organization) };
    expect(await organization.admin.call('addProviderDomain', { params, body: { name } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', details: [{ path: 'name' }] },
    });
  },
);

test('a proved domain is looked up each day, and counts no more when its record was missing for a week', async () => {
  const organization = await system.newOrganization();
  const { table, admin } = organization;
  const id = await draftIn(organization);
  const name = `${newId()}.example`;
  const { domains } = await admin.ok('addProviderDomain', { params: { id }, body: { name } });
  const { dnsRecord = { name: '', value: '' } } = domains[0] ?? {};
  records.set(dnsRecord.name, [dnsRecord.value]);
  await verifyDomain({ connections, table }, { id, name });
  const looks = async () => (await timersOf(table)).filter(({ kind }) => kind === 'provider-domains');
  const look = async (at = connections) => {
    for (const timer of await looks()) await work(at, timer);
    const { domains: found, problems } = await admin.ok('getIdentityProvider', { params: { id } });
    return { ...found[0], problems };
  };
  const there = { status: 'verified', missingSince: null };
  const ana = await personIn(system, organization, { role: 'admin' });
  const ben = await personIn(system, organization, { role: 'analyst' });
  expect(await looks()).toHaveLength(1);
  expect(await look()).toMatchObject({ ...there, problems: [] });
  records.set(dnsRecord.name, ['exposure-domain=of-somebody-else']);
  const missing = await look();
  expect(missing).toMatchObject({
    status: 'verified',
    missingSince: expect.any(String),
    problems: [expect.stringMatching(/counts until 20/)],
  });
  expect(await providerOf(table.dynamo, name)).toMatchObject({ providerId: id });
  const warning = await letterTo(system, ana.email, 2);
  expect(warning.subject).toBe(`${name}: a DNS record is missing`);
  expect(warning.text).toContain(`${dnsRecord.name} TXT ${dnsRecord.value}`);
  const silent = { ...connections, settings: { ...connections.settings, DNS_SERVERS: '127.0.0.1:1' } };
  setClock(() => Date.now() + 6.9 * 86_400_000);
  expect(await look()).toEqual(missing);
  setClock(() => Date.now() + 8 * 86_400_000);
  expect(await look(silent)).toEqual(missing);
  records.set(dnsRecord.name, [dnsRecord.value]);
  expect(await look()).toMatchObject(there);
  records.delete(dnsRecord.name);
  expect(await look()).toMatchObject({ status: 'verified' });
  setClock();
  const weekAgo = new Date(Date.now() - 8 * 86_400_000).toISOString();
  await table.modify(identityProviders, id, ({ domains: now }) => ({
    domains: now.map((domain) => ({ ...domain, missingSince: weekAgo })),
  }));
  expect(await look()).toMatchObject({ status: 'lapsed', problems: [expect.stringMatching(/verify the domain$/)] });
  expect(await providerOf(table.dynamo, name)).toBeUndefined();
  expect(await looks()).toHaveLength(0);
  // the second warning was of the record that was missing again
  expect((await letterTo(system, ana.email, 4)).subject).toBe(`${name}: people cannot sign in`);
  expect(await lettersTo(system, ben.email)).toHaveLength(1);
  const audited = async () => JSON.stringify((await admin.ok('listAudit', { query: {} })).data);
  await expect.poll(audited, { timeout: 15_000 }).toContain('verify the domain');
  records.set(dnsRecord.name, [dnsRecord.value]);
  expect((await verifyDomain({ connections, table }, { id, name })).domains).toMatchObject([there]);
});
