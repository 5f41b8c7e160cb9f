import { afterAll, describe, expect, test, vi } from 'vitest';
import { teams } from '#shared/people/team.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { accountAt, providerWorld } from '../support/identity-providers.ts';
import { personIn } from '../support/people.ts';
import { proofKey } from '../support/sign-in.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

const system = startSystem();
const anybody = system.client();
const world = await providerWorld(system);
afterAll(world.oidc.stop);

const meWith = (accessToken: string) => system.client(() => accessToken).ok('getMe');
const refusedWith = (message: RegExp) => ({
  status: 400,
  body: { code: 'invalid_grant', message: expect.stringMatching(message) },
});

test('a provider is set up in steps: values to enter first, then a test, a proved domain, and only then sign-ins', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const draft = await admin.ok('createIdentityProvider', { body: { kind: 'oidc', name: 'Example login' } });
  expect(draft).toMatchObject({ status: 'draft', oidc: null, secretUpdatedAt: null, lastError: null, domains: [] });
  expect(draft.setup.redirectUri).toMatch(/\/sign-in\/callback\/\w+$/);
  const { id, status, secretUpdatedAt } = await world.connect(organization, {
    mapping: [{ claim: 'groups', equals: 'soc', roleId: 'analyst' }],
    ...{ name: 'Second' },
  });
  expect({ status, secretUpdatedAt }).toEqual({ status: 'draft', secretUpdatedAt: expect.any(String) });
  const params = { id };
  expect(JSON.stringify(await admin.ok('getIdentityProvider', { params }))).not.toContain(world.oidc.clientSecret);
  expect(await admin.call('activateIdentityProvider', { params })).toMatchObject({ body: { code: 'conflict' } });
  const account = accountAt('elsewhere.example', 'ana', { groups: ['soc', 'all'] });
  const result = await world.tryOut(organization, id, account);
  expect(result).toMatchObject({
    subject: account.sub,
    email: account.email,
    emailVerified: true,
    name: account.name,
    claims: { groups: ['soc', 'all'] },
    roleId: 'analyst',
    problem: { reason: 'unproved_domain' },
  });
  expect(await admin.ok('getIdentityProvider', { params })).toMatchObject({ status: 'tested' });
  expect((await admin.ok('listUsers')).totalCount).toBe(0);
  expect(await admin.call('activateIdentityProvider', { params })).toMatchObject({ body: { code: 'conflict' } });
});

test('a person of the provider becomes a user with the least role, and keeps the same user', async () => {
  const organization = await system.newOrganization();
  const { account, id } = await world.activate(organization);
  const ana = account('ana');
  const first = await meWith((await world.signIn(ana)).accessToken);
  expect(first).toMatchObject({ email: ana.email, name: ana.name, roles: [{ roleId: 'viewer' }] });
  const renamed = { ...ana, email: `other@${String(ana.email).split('@')[1]}` };
  expect(await meWith((await world.signIn(renamed)).accessToken)).toMatchObject({ id: first.id, email: ana.email });
  const user = await organization.admin.ok('getUser', { params: { id: first.id } });
  expect(user).toMatchObject({
    managedBy: 'sso',
    status: 'active',
    identities: [{ providerId: id, subject: ana.sub }],
  });
});

test('a person has the zone and the language that the provider says at each sign-in, until they choose', async () => {
  const { account } = await world.activate(await system.newOrganization());
  const ana = account('ana');
  const meAfter = async (claims: object) => meWith((await world.signIn({ ...ana, ...claims })).accessToken);
  expect(await meAfter({ zoneinfo: 'Europe/Lisbon', locale: 'pt_PT' })).toMatchObject({
    timeZone: 'Europe/Lisbon',
    locale: 'pt-PT',
  });
  for (const claims of [{}, { zoneinfo: 'Lisbon', locale: ['pt'] }])
    expect(await meAfter(claims)).toMatchObject({ timeZone: 'Europe/Lisbon', locale: 'pt-PT' });
  const { accessToken } = await world.signIn({ ...ana, zoneinfo: 'Asia/Tokyo', locale: 'zh-Hans-CN' });
  const person = system.client(() => accessToken);
  expect(await person.ok('getMe')).toMatchObject({ timeZone: 'Asia/Tokyo', locale: 'zh-CN' });
  await person.ok('updateMe', { body: { timeZone: 'Europe/Madrid' } });
  expect(await meAfter({ zoneinfo: 'Asia/Tokyo', locale: 'es' })).toMatchObject({
    timeZone: 'Europe/Madrid',
    locale: 'es',
  });
});

test('claims give roles at each sign-in; a missing claim changes none, and an owner keeps the role', async () => {
  const organization = await system.newOrganization();
  const mapping = [{ claim: 'groups', equals: 'soc', roleId: 'analyst' }];
  const { account } = await world.activate(organization, { mapping });
  const ana = account('ana');
  const roleOf = async (groups?: string[]) => {
    const { accessToken } = await world.signIn({ ...ana, ...(groups && { groups }) });
    return (await meWith(accessToken)).roles[0]?.roleId;
  };
  expect(await roleOf(['soc'])).toBe('analyst');
  expect(await roleOf()).toBe('analyst');
  expect(await roleOf(['sales'])).toBe('viewer');
  const olga = account('olga', { groups: ['sales'] });
  await personIn(system, organization, { role: 'owner', email: String(olga.email) });
  expect((await meWith((await world.signIn(olga)).accessToken)).roles).toEqual([{ roleId: 'owner' }]);
  const halfFilled = { mapping: [{ claim: 'groups', equals: '', roleId: 'viewer' }] };
  const ownerMaking = { mapping: [{ claim: 'groups', equals: 'a', roleId: 'owner' as const }] };
  for (const body of [halfFilled, ownerMaking]) {
    const refused = await organization.admin.call('createIdentityProvider', {
      body: { kind: 'oidc', name: 'x', ...body },
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  }
});

test('nobody without a match comes in where the connection has no role for them, and others get the role of the connection', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const mapping = [{ claim: 'groups', equals: 'soc', roleId: 'analyst' }];
  const { account, id } = await world.activate(organization, { mapping });
  const params = { id };
  const set = (unmatchedRoleId: string) => admin.call('updateIdentityProvider', { params, body: { unmatchedRoleId } });
  const attempt = async (groups?: string[], name = newId()) =>
    (await world.attempt(account(name, { ...(groups && { groups }) }))).answer;
  expect(await set('auditor')).toMatchObject({ status: 200, body: { unmatchedRoleId: 'auditor' } });
  const eva = account('eva', { groups: ['sales'] });
  expect(await meWith((await world.signIn(eva)).accessToken)).toMatchObject({ roles: [{ roleId: 'auditor' }] });
  expect(await set('none')).toMatchObject({ status: 200, body: { unmatchedRoleId: 'none' } });
  for (const groups of [['sales'], undefined]) expect(await attempt(groups)).toMatchObject(refusedWith(/gives a role/));
  expect((await world.attempt(eva)).answer).toMatchObject(refusedWith(/gives a role/));
  expect((await admin.ok('listSignInAttempts', { params })).data[0]).toMatchObject({ reason: 'no_role' });
  const test = await world.tryOut(organization, id, account('test', { groups: ['sales'] }));
  expect(test).toMatchObject({ roleId: null, problem: { reason: 'no_role' } });
  expect(await attempt(['soc'])).toMatchObject({ status: 200 });
  const olga = account('olga', { groups: ['sales'] });
  await personIn(system, organization, { role: 'owner', email: String(olga.email) });
  expect((await world.attempt(olga)).answer).toMatchObject({ status: 200 });
  for (const strange of ['owner', newId()]) expect(await set(strange)).toMatchObject({ status: 400 });
});

test('a sign-in counts once, in the browser that began it, with its own nonce and at its own provider', async () => {
  const organization = await system.newOrganization();
  const { account } = await world.activate(organization);
  const { answer, callback, verifier } = await world.attempt(account('ana'));
  expect(answer).toMatchObject({ status: 200, body: { status: 'signed_in' } });
  const finish = (address: string, codeVerifier: string) =>
    anybody.call('finishProviderSignIn', { body: { callback: address, codeVerifier } });
  expect(await finish(callback, verifier)).toMatchObject(refusedWith(/has ended/));
  const begun = await world.begin(String(account('eve').email));
  const stolen = await world.oidc.visit(begun.url, account('eve'));
  expect(await finish(stolen, proofKey().verifier)).toMatchObject(refusedWith(/another browser/));
  const change = (url: URL) => {
    url.searchParams.set('nonce', 'another');
    return url;
  };
  expect((await world.attempt(account('eve'), { change })).answer).toMatchObject(refusedWith(/nonce/));
  const other = await world.activate(await system.newOrganization());
  const mixed = await world.begin(String(account('eve').email));
  const led = new URL(await world.oidc.visit(mixed.url, account('eve')));
  led.pathname = new URL(other.provider.setup.redirectUri).pathname;
  expect(await finish(led.href, mixed.verifier)).toMatchObject(refusedWith(/has ended/));
});

test('rotated keys count at once, and clocks may differ by half a minute, not by two', async () => {
  const { account } = await world.activate(await system.newOrganization());
  await world.signIn(account('ana'));
  world.oidc.rotate();
  await world.signIn(account('ben'));
  const at = async (seconds: number, name: string) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    try {
      return (await world.attempt(account(name))).answer;
    } finally {
      vi.useRealTimers();
    }
  };
  // an ID token of the provider ends after an hour
  expect(await at(30, 'cleo')).toMatchObject({ status: 200 });
  expect(await at(-3630, 'dan')).toMatchObject({ status: 200 });
  expect(await at(-3720, 'eve')).toMatchObject(refusedWith(/refused/));
});

test('an address counts only where both sides have verified it; each refusal is listed with its reason', async () => {
  const organization = await system.newOrganization();
  const { id, account } = await world.activate(organization);
  const params = { id };
  const ana = account('ana');
  for (const email_verified of [[true], 'yes', false])
    expect((await world.attempt({ ...ana, email_verified })).answer).toMatchObject(refusedWith(/verified/));
  const { provider } = await organization.admin
    .ok('getIdentityProvider', { params })
    .then((one) => ({ provider: one }));
  expect(provider.lastError).toMatchObject({ reason: 'unverified_email', email: ana.email });
  const foreign = await world.attempt(account('ben', { email: 'ben@other.example' }), { at: String(ana.email) });
  expect(foreign.answer).toMatchObject(refusedWith(/not proved/));
  const silent = await world.attempt({ sub: 'x', name: 'No address' }, { at: String(ana.email) });
  expect(silent.answer).toMatchObject(refusedWith(/no e-mail/));
  const { data } = await organization.admin.ok('listSignInAttempts', { params });
  expect(new Set(data.map(({ reason }) => reason))).toEqual(
    new Set(['no_email', 'unproved_domain', 'unverified_email']),
  );
  await world.signIn(ana);
  expect(await organization.admin.ok('getIdentityProvider', { params })).toMatchObject({ lastError: null });
  const twin = await world.attempt({ ...account('ana'), email: ana.email });
  expect(twin.answer).toMatchObject(refusedWith(/another person/));
});

test('a person who has left does not come back by the provider; an invited one accepts by signing in', async () => {
  const organization = await system.newOrganization();
  const { account } = await world.activate(organization);
  const ana = account('ana');
  const { id } = await meWith((await world.signIn(ana)).accessToken);
  await organization.admin.ok('deactivateUser', { params: { id } });
  expect((await world.attempt(ana)).answer).toMatchObject(refusedWith(/deactivated/));
  const ben = account('ben');
  const roles = [{ roleId: 'analyst' as const }];
  const invited = await organization.admin.ok('inviteUser', { body: { email: String(ben.email), name: 'Ben', roles } });
  const me = await meWith((await world.signIn(ben)).accessToken);
  expect(me).toMatchObject({ id: invited.id, roles });
});

test('a provider that does not answer, or answers for another issuer, is refused with a reason that helps', async () => {
  const { admin } = await system.newOrganization();
  const { codeChallenge } = proofKey();
  const { id } = await admin.ok('createIdentityProvider', { body: { kind: 'oidc', name: 'Broken' } });
  const tryOut = () => admin.call('testIdentityProvider', { params: { id }, body: { codeChallenge } });
  expect(await tryOut()).toMatchObject(refusedWith(/no settings/));
  const reasons = ['not_set_up'];
  for (const issuer of ['http://127.0.0.1:9', `${world.oidc.issuer}/elsewhere`, 'http://nowhere.invalid']) {
    await admin.ok('updateIdentityProvider', { params: { id }, body: { oidc: { issuer, clientId: 'x' } } });
    expect(await tryOut()).toMatchObject({ status: 400, body: { code: 'invalid_grant' } });
    reasons.unshift(issuer.endsWith('elsewhere') ? 'invalid_answer' : 'unreachable');
  }
  const { data } = await admin.ok('listSignInAttempts', { params: { id } });
  expect(data.map(({ reason }) => reason)).toEqual(reasons);
});

test("Entra ID's word for a verified address counts where it sends no other", async () => {
  const { account } = await world.activate(await system.newOrganization());
  const ana = account('ana', { email_verified: undefined, xms_edov: true });
  expect(await meWith((await world.signIn(ana)).accessToken)).toMatchObject({ email: ana.email });
  const ben = account('ben', { email_verified: false, xms_edov: true });
  expect((await world.attempt(ben)).answer).toMatchObject(refusedWith(/verified/));
});

test('a mapping that names parts gives the role for them; other mappings leave the part as it is', async () => {
  const organization = await system.newOrganization();
  const scope = { zones: ['dmz'] };
  await organization.admin.ok('createZone', { body: { name: 'dmz' } });
  const rows = [
    { claim: 'groups', equals: 'dmz', roleId: 'analyst', scope },
    { claim: 'groups', equals: 'all', roleId: 'analyst' },
  ];
  const { account, id } = await world.activate(organization, { mapping: rows });
  const ana = account('ana');
  const rolesOf = async (groups: string[]) =>
    (await meWith((await world.signIn({ ...ana, groups })).accessToken)).roles;
  expect(await rolesOf(['dmz'])).toEqual([{ roleId: 'analyst', scope }]);
  expect(await rolesOf(['none'])).toEqual([{ roleId: 'viewer', scope }]);
  expect(await rolesOf(['all'])).toEqual([{ roleId: 'analyst' }]);
  expect(await rolesOf(['all', 'dmz'])).toEqual([{ roleId: 'analyst', scope }]);
  expect(await world.tryOut(organization, id, account('eva', { groups: ['dmz'] }))).toMatchObject({ scope });
  await organization.admin.ok('updateIdentityProvider', { params: { id }, body: { mapping: rows.slice(1) } });
  expect(await rolesOf(['all'])).toEqual([{ roleId: 'analyst', scope }]);
});

describe('a mapping gives teams', () => {
  const teamIn = async ({ admin }: TestOrganization, name: string, memberIds: string[] = []) =>
    (await admin.ok('createTeam', { body: { name, memberIds } })).id;
  const membersOf = async ({ admin }: TestOrganization, id: string) =>
    (await admin.ok('getTeam', { params: { id } })).memberIds;

  test('which follow the claims at each sign-in, beside the role, and stay where the claim is missing', async () => {
    const organization = await system.newOrganization();
    const [shop, soc] = [await teamIn(organization, 'Shop'), await teamIn(organization, 'SOC')];
    const mapping = [
      { claim: 'groups', equals: 'shop', teamId: shop },
      { claim: 'groups', equals: 'soc', roleId: 'analyst', teamId: soc },
      { claim: 'departments', equals: 'operations', teamId: soc },
    ];
    const { account, id } = await world.activate(organization, { mapping });
    const ana = account('ana', { groups: ['shop', 'soc'], departments: 'sales' });
    const me = await meWith((await world.signIn(ana)).accessToken);
    expect(me).toMatchObject({ roles: [{ roleId: 'analyst' }] });
    const teams = async () => [await membersOf(organization, shop), await membersOf(organization, soc)];
    expect(await teams()).toEqual([[me.id], [me.id]]);
    await world.signIn({ ...ana, groups: undefined });
    expect(await teams()).toEqual([[me.id], [me.id]]);
    await world.signIn({ ...ana, groups: ['soc'], departments: undefined });
    expect(await teams()).toEqual([[], [me.id]]);
    await world.signIn({ ...ana, groups: [] });
    expect(await teams()).toEqual([[], []]);
    await world.signIn({ ...ana, groups: [], departments: 'operations' });
    expect(await teams()).toEqual([[], [me.id]]);
    expect(await meWith((await world.signIn(ana)).accessToken)).toMatchObject({
      teamIds: expect.arrayContaining([shop, soc]),
    });
    expect(await world.tryOut(organization, id, account('eva', { groups: ['shop'] }))).toMatchObject({
      roleId: 'viewer',
      teamIds: [shop],
    });
  });

  test('to nobody else, not without room, and no more when the team is gone', async () => {
    const organization = await system.newOrganization();
    const { admin } = organization;
    const other = await organization.person('viewer');
    const [shop, gone] = [await teamIn(organization, 'Shop', [other.id]), await teamIn(organization, 'Gone')];
    const rows = [shop, gone].map((teamId) => ({ claim: 'groups', equals: 'all', teamId }));
    const { account } = await world.activate(organization, { mapping: rows });
    await admin.ok('deleteTeam', { params: { id: gone } });
    await world.signIn(account('ana', { groups: ['none'] }));
    expect(await membersOf(organization, shop)).toEqual([other.id]);
    for (const count of [33, 66, 99])
      await organization.table.modify(teams, shop, ({ memberIds }) => ({
        memberIds: [...memberIds, ...Array.from({ length: count - memberIds.length }, () => newId())],
      }));
    await world.signIn(account('eva', { groups: ['all'] }));
    expect(await membersOf(organization, shop)).toHaveLength(99);
  });

  test.each([
    ['neither a role nor a team', {}, 'mapping.0.roleId'],
    ['a team that is not there', { teamId: newId() }, 'mapping.0.teamId'],
    ['a team of no text', { teamId: '' }, 'mapping.0.teamId'],
    ['a part without a role', { teamId: newId(), scope: { zones: ['dmz'] } }, 'mapping.0.scope'],
    [
      'an application that is not there',
      { roleId: 'viewer', scope: { applicationIds: [newId()] } },
      'mapping.0.scope.applicationIds',
    ],
    ['a zone that is not there', { roleId: 'viewer', scope: { zones: ['dmz'] } }, 'mapping.0.scope.zones.0'],
  ])('unless a row is half filled: with %s', async (_, row, path) => {
    const { admin } = await system.newOrganization();
    const mapping = [{ claim: 'groups', equals: 'a', ...row }];
    const answer = await admin.call('createIdentityProvider', { body: { kind: 'oidc', name: 'Login', mapping } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed', details: [{ path }] } });
  });
});
