import { afterAll, expect, test } from 'vitest';
import { identityProviders } from '#shared/people/identity-provider.ts';
import { providerWorld } from '../support/identity-providers.ts';
import { lettersTo, letterTo, personIn, signInWithLink, tokenIn } from '../support/people.ts';
import { exchange, proofKey } from '../support/sign-in.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const anybody = system.client();
const world = await providerWorld(system);
afterAll(world.oidc.stop);

const refresh = (refreshToken: string, organizationId?: string) =>
  anybody.call('issueToken', {
    body: {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      refresh_token_in: 'body',
      ...(organizationId && { organization_id: organizationId }),
    },
  });

const mustUseProvider = {
  status: 400,
  body: { code: 'invalid_grant', message: expect.stringMatching(/Example login/) },
};

const enforce = ({ admin }: TestOrganization, id: string, enforcement: 'mixed' | 'enforced') =>
  admin.ok('updateIdentityProvider', { params: { id }, body: { enforcement } });

/** The answer to the code of a sign-in by letter. */
async function withLetter(email: string, organizationId?: string) {
  const before = (await lettersTo(system, email)).length;
  await anybody.ok('requestSignIn', { body: { email } });
  const token = tokenIn(await letterTo(system, email, before + 1));
  const { verifier, codeChallenge } = proofKey();
  const { code } = await anybody.ok('signIn', { body: { token, codeChallenge } });
  const wanted = organizationId && { organization_id: organizationId };
  const body = { grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier, ...wanted };
  return anybody.call('issueToken', { body });
}

test('enforced: a letter opens nothing, running sessions end at their refresh, and the provider opens', async () => {
  const organization = await system.newOrganization();
  const { id, account } = await world.activate(organization);
  const guest = await personIn(system, organization);
  const ana = account('ana');
  const { refreshToken } = await world.signIn(ana);
  await enforce(organization, id, 'enforced');
  expect(await withLetter(guest.email)).toMatchObject(mustUseProvider);
  expect(await withLetter(String(ana.email))).toMatchObject(mustUseProvider);
  expect(await refresh(guest.refreshToken)).toMatchObject(mustUseProvider);
  expect(await refresh(refreshToken)).toMatchObject({ status: 200 });
  const route = await anybody.ok('findSignInProvider', {
    body: { email: `nobody.knows@${String(ana.email).split('@')[1]}` },
  });
  expect(route).toMatchObject({ provider: { name: 'Example login', required: true } });
  await organization.admin.ok('disableIdentityProvider', { params: { id } });
  expect(await withLetter(guest.email)).toMatchObject({ status: 200 });
});

test('mixed: only people with an address in a proved domain must use the provider', async () => {
  const organization = await system.newOrganization();
  const { id, account } = await world.activate(organization);
  const guest = await personIn(system, organization);
  const ana = account('ana');
  await world.signIn(ana);
  await enforce(organization, id, 'mixed');
  expect(await withLetter(guest.email)).toMatchObject({ status: 200 });
  expect(await withLetter(String(ana.email))).toMatchObject(mustUseProvider);
});

test('an owner breaks the glass with a letter, and the audit log shows it', async () => {
  const organization = await system.newOrganization();
  const { id } = await world.activate(organization);
  const owner = await personIn(system, organization, { role: 'owner' });
  await enforce(organization, id, 'enforced');
  await signInWithLink(system, owner.email);
  const shown = await until(
    () => organization.admin.ok('listAudit', { query: { actorId: owner.id } }),
    ({ data }) => data.some(({ kind, reason }) => kind === 'signed_in' && reason !== null),
  );
  const [entry] = shown.data.filter(({ reason }) => reason !== null);
  expect(entry).toMatchObject({ kind: 'signed_in', reason: expect.stringMatching(/without the identity provider/) });
});

test('a switch into an organization that enforces its provider asks for it; another provider is no proof there', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const { account } = await world.activate(own);
  const enforcing = await world.activate(other);
  const ana = account('ana');
  const { refreshToken } = await world.signIn(ana);
  await personIn(system, other, { email: String(ana.email) });
  const switched = await refresh(refreshToken, other.organizationId);
  expect(switched).toMatchObject({ status: 200 });
  await enforce(other, enforcing.id, 'enforced');
  const again = String(Reflect.get(switched.body, 'refresh_token'));
  expect(await refresh(again, other.organizationId)).toMatchObject(mustUseProvider);
  expect(await refresh(again, own.organizationId)).toMatchObject({ status: 200 });
});

test('where a second step is required, the provider of another organization is no second step', async () => {
  const [own, other] = [await system.newOrganization(), await system.newOrganization()];
  const { account } = await world.activate(own);
  const ana = account('ana');
  const { refreshToken } = await world.signIn(ana);
  await personIn(system, other, { email: String(ana.email) });
  for (const { admin } of [own, other])
    await admin.ok('updateOrganizationSettings', { body: { secondStepRequired: true } });
  const switched = await refresh(refreshToken, other.organizationId);
  expect(switched).toMatchObject({ status: 400, body: { message: expect.stringMatching(/second step/) } });
  expect(await refresh(refreshToken, own.organizationId)).toMatchObject({ status: 200 });
});

test('a provider that is not active signs nobody in, also not somebody who has begun', async () => {
  const organization = await system.newOrganization();
  const { id, account } = await world.activate(organization);
  const ana = account('ana');
  const { url, verifier } = await world.begin(String(ana.email));
  await organization.admin.ok('disableIdentityProvider', { params: { id } });
  const callback = await world.oidc.visit(url, ana);
  const answer = await anybody.call('finishProviderSignIn', { body: { callback, codeVerifier: verifier } });
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/not active/) } });
  const find = await anybody.ok('findSignInProvider', { body: { email: String(ana.email) } });
  expect(find).toEqual({ provider: null });
  await organization.admin.ok('activateIdentityProvider', { params: { id } });
  const { answer: opened, verifier: own } = await world.attempt(ana);
  const code = opened.status === 200 ? opened.body.code : null;
  expect(await exchange(anybody, code ?? '', own)).toMatchObject({ accessToken: expect.any(String) });
});

test('a provider without a proved domain left is no longer asked for: nobody could sign in there', async () => {
  const organization = await system.newOrganization();
  const { id } = await world.activate(organization);
  const guest = await personIn(system, organization);
  await enforce(organization, id, 'enforced');
  expect(await withLetter(guest.email)).toMatchObject(mustUseProvider);
  await organization.table.modify(identityProviders, id, ({ domains }) => ({
    domains: domains.map((domain) => ({ ...domain, status: 'lapsed' as const })),
  }));
  expect(await withLetter(guest.email)).toMatchObject({ status: 200 });
});

test('a link to an account at the provider is removed by the person or an administrator, and its sessions end', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const { id, account } = await world.activate(organization);
  const viewer = await organization.withRole('viewer');
  await enforce(organization, id, 'enforced');
  const ana = account('ana');
  const { accessToken, refreshToken } = await world.signIn(ana);
  const me = system.client(() => accessToken);
  const { id: userId, identities } = await me.ok('getMe');
  expect(identities).toEqual([{ providerId: id, provider: 'Example login', subject: ana.sub }]);
  const made = { ...ana, sub: `new-${ana.sub}` };
  expect((await world.attempt(made)).answer).toMatchObject({ status: 400 });
  const ofUser = { params: { id: userId, providerId: id } };
  expect(await viewer.call('unlinkIdentity', ofUser)).toMatchObject({ status: 401 });
  expect(await admin.ok('unlinkIdentity', ofUser)).toEqual({ providerId: id, subject: ana.sub, ended: 1 });
  expect(await admin.call('unlinkIdentity', ofUser)).toMatchObject({ body: { code: 'not_found' } });
  expect(await refresh(refreshToken)).toMatchObject({ status: 400 });
  expect(await withLetter(String(ana.email))).toMatchObject(mustUseProvider);
  const again = await world.signIn(made);
  const own = system.client(() => again.accessToken);
  expect(await own.ok('getMe')).toMatchObject({ id: userId, identities: [{ subject: made.sub }] });
  expect(await own.ok('unlinkMyIdentity', { params: { providerId: id } })).toMatchObject({
    subject: made.sub,
    ended: 1,
  });
  expect(await admin.ok('getUser', { params: { id: userId } })).toMatchObject({ identities: [] });
  const audited = async () => JSON.stringify((await admin.ok('listAudit', { query: {} })).data);
  await expect.poll(audited, { timeout: 15_000 }).toContain('identities');
});

test('an administrator removes no link of an owner', async () => {
  const organization = await system.newOrganization();
  const { id } = await world.activate(organization);
  const owner = await organization.person('owner');
  const answer = await organization.admin.call('unlinkIdentity', { params: { id: owner.id, providerId: id } });
  expect(answer).toMatchObject({ status: 401, body: { code: 'insufficient_scope' } });
});
