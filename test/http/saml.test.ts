import { expect, test } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import { CHANGED_TEXTS, WRAPPED_ASSERTIONS } from '../support/saml-attacks.ts';
import { newKeyPair, samlProvider } from '../support/saml-provider.ts';
import { samlConnection } from '../support/saml-world.ts';
import { startSystem } from '../support/system.ts';

const system = startSystem();

async function connected() {
  const organization = await system.newOrganization();
  const connection = await samlConnection(system, organization);
  await connection.activate();
  return { organization, connection };
}

const meWith = (accessToken: string) => system.client(() => accessToken).ok('getMe');
const refusedWith = (message: RegExp) => ({
  status: 400,
  body: { code: 'invalid_grant', message: expect.stringMatching(message) },
});

test('a provider is set up by its metadata, tested and activated, and then signs people in', async () => {
  const organization = await system.newOrganization();
  const connection = await samlConnection(system, organization);
  const params = { id: connection.id };
  expect(connection.ourMetadata).toContain(`entityID="${connection.setup.entityId}"`);
  expect(connection.ourMetadata).toContain(`Location="${connection.setup.acsUrl}"`);
  expect(await connection.activate()).toMatchObject({ status: 200, body: { status: 'tested', code: null } });
  expect(await organization.admin.ok('getIdentityProvider', { params })).toMatchObject({
    status: 'active',
    saml: { entityId: connection.idp.entityId, signInUrl: 'https://saml.example/sign-in' },
  });
  const test = await organization.admin.ok('getIdentityProviderTest', { params });
  expect(test).toMatchObject({
    subject: connection.email,
    email: connection.email,
    claims: { NameID: connection.email },
  });
  const first = await meWith((await connection.signIn()).accessToken);
  expect(first).toMatchObject({ email: connection.email, roles: [{ roleId: 'viewer' }] });
  expect(await meWith((await connection.signIn()).accessToken)).toMatchObject({ id: first.id });
});

test('attributes name the person and give the role', async () => {
  const { organization, connection } = await connected();
  const mapping = [
    { claim: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', equals: 'soc', roleId: 'analyst' },
  ];
  await organization.admin.ok('updateIdentityProvider', { params: { id: connection.id }, body: { mapping } });
  const attributes = {
    [mapping[0]?.claim ?? '']: ['all', 'soc'],
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': `Ben@${connection.domain}`,
    displayName: 'Ben Ito',
  };
  const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
  const { accessToken } = await connection.signIn({ nameId: newId(), format, attributes });
  expect(await meWith(accessToken)).toMatchObject({
    email: `ben@${connection.domain}`,
    name: 'Ben Ito',
    roles: [{ roleId: 'analyst' }],
  });
});

test('an answer counts once, in the browser that began, and only the first answer to a request', async () => {
  const { connection } = await connected();
  const { form, verifier, answered } = await connection.attempt();
  expect(answered).toMatchObject({ status: 200, body: { status: 'signed_in' } });
  expect(await connection.post(form)).toMatchObject(refusedWith(/did not begin here/));
  const callback = `${connection.setup.redirectUri}?RelayState=${form.RelayState}`;
  expect(await connection.finish(callback, verifier)).toMatchObject(refusedWith(/has ended/));
  const [victim, thief] = [await connection.begin(), await connection.begin()];
  const stolen = await connection.answer(victim.url);
  expect(await connection.bring(stolen, thief.verifier)).toMatchObject(refusedWith(/another browser/));
  const foreign = { ...stolen, RelayState: new URL(thief.url).searchParams.get('RelayState') ?? '' };
  expect(await connection.bring(foreign, thief.verifier)).toMatchObject(refusedWith(/another request/));
  const twice = await connection.begin();
  const [bad, good] = [
    await connection.answer(twice.url, { said: { signs: 'nothing' } }),
    await connection.answer(twice.url),
  ];
  await connection.post(bad);
  expect(await connection.bring(good, twice.verifier)).toMatchObject(refusedWith(/not signed itself/));
});

test('an assertion with an id that came before is refused', async () => {
  const { connection } = await connected();
  const tags = { AssertionID: `_${newId()}` };
  expect((await connection.attempt({ said: { tags } })).answered).toMatchObject({ status: 200 });
  expect((await connection.attempt({ said: { tags } })).answered).toMatchObject(refusedWith(/used before/));
});

test('an answer that nobody asked for opens nothing', async () => {
  const { connection } = await connected();
  const { url, verifier } = await connection.begin();
  const { SAMLResponse } = await connection.answer(url);
  for (const form of [
    { SAMLResponse, RelayState: '/dashboard' },
    { SAMLResponse, RelayState: newId() },
  ])
    expect(await connection.post(form)).toMatchObject(refusedWith(/did not begin here/));
  expect(await connection.post({ SAMLResponse })).toMatchObject({ status: 400 });
  const wanting = { change: (xml: string) => xml.replaceAll(/ InResponseTo="[^"]*"/g, '') };
  expect(await connection.bring(await connection.answer(url, wanting), verifier)).toMatchObject(
    refusedWith(/begin at this service/),
  );
});

test('the provider of one organization opens no other', async () => {
  const [{ connection: mine }, { connection: other }] = [await connected(), await connected()];
  const { url, verifier } = await other.begin();
  const form = await mine.answer(url);
  expect(await other.post(form, mine.publicId)).toMatchObject(refusedWith(/did not begin here/));
  expect(await other.bring(form, verifier)).toMatchObject(refusedWith(/not for this address/));
  const foreign = await mine.attempt({ said: { nameId: other.email } });
  expect(foreign.answered).toMatchObject(refusedWith(/not proved/));
});

test('each attack opens nothing, and administrators read why', async () => {
  const { organization, connection } = await connected();
  const changes = [...Object.values(WRAPPED_ASSERTIONS), ...CHANGED_TEXTS.map(([, change]) => change)];
  for (const change of changes)
    expect((await connection.attempt({ change })).answered).toMatchObject({
      status: 400,
      body: { code: 'invalid_grant' },
    });
  const thief = await samlProvider({ entityId: connection.idp.entityId, keys: await newKeyPair() });
  const { url, verifier } = await connection.begin();
  const { SAMLResponse, RelayState } = await thief.answer(url, connection.ourMetadata, { nameId: connection.email });
  expect(await connection.bring({ SAMLResponse, RelayState }, verifier)).toMatchObject(
    refusedWith(/no current certificate/),
  );
  const query = { paginateSize: 100 };
  const { data, totalCount } = await organization.admin.ok('listSignInAttempts', {
    params: { id: connection.id },
    query,
  });
  expect(totalCount).toBe(changes.length + 1);
  expect(new Set(data.map(({ reason }) => reason))).toEqual(new Set(['invalid_answer']));
  expect(data.every(({ message }) => message.length > 20)).toBe(true);
  expect((await organization.admin.ok('listUsers')).totalCount).toBe(0);
});

test('an administrator does not become an owner through a provider of their own', async () => {
  const { organization, connection } = await connected();
  const params = { id: connection.id };
  const owner = await organization.withRole('owner');
  const { certificate } = await newKeyPair();
  const certificates = { params, body: { saml: { certificates: [certificate] } } };
  const refused = { status: 401, body: { code: 'insufficient_scope' } };
  expect(await organization.admin.call('updateIdentityProvider', certificates)).toMatchObject(refused);
  expect(await owner.call('updateIdentityProvider', certificates)).toMatchObject({ status: 200 });
  await organization.admin.ok('disableIdentityProvider', { params });
  expect(await organization.admin.call('activateIdentityProvider', { params })).toMatchObject(refused);
  expect(await owner.call('activateIdentityProvider', { params })).toMatchObject({ status: 200 });
});

test('certificates change while a provider is active; its address does not', async () => {
  const { organization, connection } = await connected();
  const params = { id: connection.id };
  const { saml } = await organization.admin.ok('getIdentityProvider', { params });
  const { certificate } = await newKeyPair();
  const set = (changes: object) =>
    organization.admin.call('updateIdentityProvider', { params, body: { saml: { ...changes } } });
  expect(await set({ certificates: [...(saml?.certificates ?? []), certificate] })).toMatchObject({
    status: 200,
    body: { status: 'active' },
  });
  expect((await connection.attempt()).answered).toMatchObject({ status: 200 });
  expect(await set({ signInUrl: 'https://thief.example' })).toMatchObject({ body: { code: 'conflict' } });
  expect(await set({ certificates: ['none'] })).toMatchObject({ body: { code: 'validation_failed' } });
});
