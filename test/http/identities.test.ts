import { expect, test } from 'vitest';
import { identities } from '#shared/assets/identity/identity.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { startSystem } from '../support/system.ts';
import { expectExact } from '../support/verify.ts';
import { follow } from '../support/vulnerabilities.ts';

const system = startSystem();

async function directory() {
  const organization = await system.newOrganization();
  const { client } = await organization.machine('integrator', { name: 'directory' });
  const send = async (...some: unknown[]) =>
    (await client.ok('sendIdentities', { body: { identities: some } })).results;
  return { ...organization, client, send };
}

const ada = {
  externalId: 'S-1-5-21-1104',
  source: 'active-directory',
  names: ['Ada@acme.test', 'ACME\\ada'],
  displayName: 'Ada L.',
  isPrivileged: true,
  hasMfa: false,
};
const build = { externalId: 'sp-1', source: 'entra-id', kind: 'service', names: ['build-bot'] };

test('each identity exists once with its last values, and a refused one does not affect the others', async () => {
  const { send, admin, table } = await directory();
  const [first, refused, second] = await send(ada, { externalId: 'x', names: [] }, build);
  expect(first).toMatchObject({ index: 0, externalId: 'S-1-5-21-1104', accepted: true, outcome: 'created' });
  expect(refused).toMatchObject({ externalId: 'x', accepted: false, code: 'validation_failed' });
  expect(refused?.message).toContain('source');
  expect(second).toMatchObject({ accepted: true, outcome: 'created' });
  expect((await send(ada, build)).map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
  const [changed, last] = await send({ ...ada, status: 'disabled' }, { ...ada, status: 'deleted', hasMfa: undefined });
  expect(changed).toMatchObject({ outcome: 'updated', recordId: first?.recordId });
  expect(last).toMatchObject({ outcome: 'updated', recordId: first?.recordId });
  expect(await admin.ok('getIdentity', { params: { id: first?.recordId ?? '' } })).toMatchObject({
    names: ada.names,
    status: 'deleted',
    hasMfa: null,
    isPrivileged: true,
    kind: 'person',
    version: 2,
  });
  const found = async (query: object) =>
    (await admin.ok('listIdentities', { query })).data.map(({ names }) => names[0]);
  expect(await found({})).toEqual(['build-bot', 'Ada@acme.test']);
  expect(await found({ name: 'acme\\ADA' })).toEqual(['Ada@acme.test']);
  expect(await found({ kind: 'service', status: 'active,disabled' })).toEqual(['build-bot']);
  expect(await found({ source: 'ENTRA-id' })).toEqual(['build-bot']);
  expect(await found({ filter: 'source:Active-Directory' })).toEqual(['Ada@acme.test']);
  expect(await found({ isPrivileged: 'true', hasMfa: 'unknown' })).toEqual(['Ada@acme.test']);
  expect((await admin.ok('searchIdentities', { query: { search: 'bui' } })).totalCount).toBe(1);
  await expectExact(table, [identities]);
});

test('an identity has the alerts and the exposed credentials of all its names, whichever came first', async () => {
  const { send, admin, client, table } = await directory();
  const alert = (externalId: string, value: string) => ({
    externalId,
    title: 'Sign-in from two countries',
    severity: 'high',
    source: 'identity',
    entities: [{ type: 'user', value }],
  });
  await client.ok('sendAlerts', { body: { alerts: [alert('1', 'acme\\ADA'), alert('2', 'bob')] } });
  const breach = { externalId: 'f-1', breach: 'Forum 2026', account: 'ADA@acme.test', secret: 'pw-EXAMPLE-00112233' };
  await client.ok('sendBreaches', { body: { breaches: [breach, { ...breach, externalId: 'f-2', account: 'bob' }] } });
  const [taken] = await send(ada);
  await client.ok('sendAlerts', { body: { alerts: [alert('3', 'ada@ACME.test')] } });
  await follow({ connections: system.connections, table });
  const named = { params: { id: taken?.recordId ?? '' } };
  const { data, totalCount } = await admin.ok('listIdentityAlerts', named);
  expect([totalCount, data.map(({ entities }) => entities[0]?.value)]).toEqual([2, ['ada@ACME.test', 'acme\\ADA']]);
  expect((await admin.ok('listIdentityCredentials', named)).data).toMatchObject([{ account: 'ADA@acme.test' }]);
  expect((await admin.ok('listAlerts', { query: { user: 'BOB' } })).totalCount).toBe(1);
  await expectExact(table, [alerts]);
});

test('an identity that is deleted is gone with its names, and its alerts stay', async () => {
  const { send, admin, withRole } = await directory();
  const [taken] = await send(ada);
  const named = { params: { id: taken?.recordId ?? '' } };
  const analyst = await withRole('analyst');
  expect(await analyst.call('deleteIdentity', named)).toMatchObject({ body: { code: 'insufficient_scope' } });
  await admin.ok('deleteIdentity', named);
  expect((await admin.ok('listIdentities', { query: { name: 'acme\\ada' } })).totalCount).toBe(0);
  expect(await send(ada)).toMatchObject([{ outcome: 'created' }]);
});
