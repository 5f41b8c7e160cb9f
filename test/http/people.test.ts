import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { organizations } from '#shared/credentials/organization.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { codeFor, lettersTo, letterTo, personIn, signInWithLink, tokenIn } from '../support/people.ts';
import { directoryOf, entraUser } from '../support/scim.ts';
import { exchange, newAddress, proofKey } from '../support/sign-in.ts';
import { startSystem } from '../support/system.ts';
import { until } from '../support/wait.ts';

const system = startSystem();
const anybody = system.client();
const refresh = (refresh_token: string, organization_id?: string) =>
  anybody.call('issueToken', {
    body: { grant_type: 'refresh_token', refresh_token, organization_id, refresh_token_in: 'body' },
  });
const refused = { status: 400, body: { code: 'invalid_grant' } };

test('an invited person accepts with the link of the letter, works, and is named as the author', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const email = newAddress('new.person');
  const invitation = { email, name: 'New Person', roles: [{ roleId: 'analyst' as const }] };
  const invited = await admin.ok('inviteUser', { body: invitation });
  expect(invited).toMatchObject({ ...invitation, status: 'invited', managedBy: 'local', lastSignInAt: null });
  expect(await admin.call('inviteUser', { body: invitation })).toMatchObject({
    status: 400,
    body: { code: 'conflict' },
  });
  const letter = await letterTo(system, email);
  expect(letter.subject).toBe('Join Test organization');
  expect(letter.html).toContain('Accept the invitation');
  const { verifier, codeChallenge } = proofKey();
  const body = { token: tokenIn(letter), codeChallenge, name: 'Nadia Person', timeZone: 'Europe/Berlin' };
  const { code } = await anybody.ok('acceptInvitation', { body });
  expect(await anybody.call('acceptInvitation', { body })).toMatchObject(refused);
  const { accessToken } = await exchange(anybody, code ?? '', verifier);
  const person = system.client(() => accessToken);
  expect(await person.ok('getMe')).toMatchObject({
    id: invited.id,
    email,
    name: 'Nadia Person',
    timeZone: 'Europe/Berlin',
    activeOrganizationId: organization.organizationId,
    teamIds: [],
    organizations: [{ id: organization.organizationId, userId: invited.id, active: true }],
  });
  const shown = await admin.ok('getUser', { params: { id: invited.id } });
  expect(shown).toMatchObject({ name: 'Nadia Person', status: 'active', lastSignInAt: expect.any(String) });
  const finding = await person.ok('createFinding', {
    body: { title: 'Weak cipher', severity: 'low', asset: { type: 'host', value: 'host.example' } },
  });
  expect(finding.createdBy).toEqual({ kind: 'user', id: invited.id, name: 'Nadia Person' });
  const assigned = await admin.ok('updateFinding', { params: { id: finding.id }, body: { assigneeId: invited.id } });
  expect(assigned.assignee).toEqual({ id: invited.id, name: 'Nadia Person' });
  expect(await person.call('inviteUser', { body: invitation })).toMatchObject({ status: 401 });
});

test('who invites an address learns nothing of the person with it, until the person accepts', async () => {
  const [organization, elsewhere] = [await system.newOrganization(), await system.newOrganization()];
  const known = await personIn(system, elsewhere);
  const { secret } = await known.client.ok('offerTotp');
  const proof = { code: await codeFor(system, known.client) };
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await known.client.ok('confirmTotp', { body: { code, proof } });
  const stranger = { personId: null, mfa: { totp: false, passkeys: 0 } };
  for (const email of [known.email, newAddress()]) {
    const body = { email, name: 'Somebody', roles: [{ roleId: 'viewer' as const }] };
    const invited = await organization.admin.ok('inviteUser', { body });
    expect(invited).toMatchObject(stranger);
    expect(await organization.admin.ok('getUser', { params: { id: invited.id } })).toMatchObject(stranger);
    expect(await organization.admin.ok('inviteUserAgain', { params: { id: invited.id } })).toMatchObject(stranger);
  }
  const { data } = await elsewhere.admin.ok('listUsers');
  expect(data).toMatchObject([{ personId: expect.any(String), mfa: { totp: true } }]);
});

test('nobody floods an address with invitations, and a trial sends few of them', async () => {
  const { admin, organizationId } = await system.newOrganization();
  const email = newAddress();
  const invite = (address: string) =>
    admin.call('inviteUser', { body: { email: address, name: 'x', roles: [{ roleId: 'viewer' as const }] } });
  const { id } = Object((await invite(email)).body);
  const again = await Promise.all(
    Array.from({ length: 10 }, () => admin.call('inviteUserAgain', { params: { id: String(id) } })),
  );
  expect(again.filter(({ status }) => status === 200)).toHaveLength(4);
  expect(again.filter(({ body }) => Object(body).code === 'limit_exceeded')).toHaveLength(6);
  const all = openTable(system.connections.dynamo, GLOBAL_SCOPE);
  await all.modify(organizations, organizationId, () => ({ trialEndsAt: '2099-01-01T00:00:00.000Z' }));
  const invited = await Promise.all(Array.from({ length: 52 }, () => invite(newAddress())));
  expect(invited.filter(({ status }) => status === 200)).toHaveLength(50);
});

test('a name is one line, so that nobody writes into the letters and logs that show it', async () => {
  const organization = await system.newOrganization();
  const { client } = await personIn(system, organization);
  for (const name of [
    'Ana\n\nYour account is locked: https://example.net',
    'Ana\u202egpj.exe',
    'Ana\u0000',
    'A\u2028B',
  ]) {
    const refused = { status: 400, body: { details: [{ path: 'name' }] } };
    expect(await client.call('updateMe', { body: { name } })).toMatchObject(refused);
    const body = { email: newAddress(), name, roles: [{ roleId: 'viewer' as const }] };
    expect(await organization.admin.call('inviteUser', { body })).toMatchObject(refused);
    expect(await organization.admin.call('createServiceAccount', { body: { name, role: 'viewer' } })).toMatchObject(
      refused,
    );
  }
  const directory = await directoryOf(system, organization);
  const sent = { ...entraUser(newAddress()), displayName: 'Ana\r\nLima\u202e' };
  expect((await directory('POST', '/Users', sent)).body).toMatchObject({ displayName: 'Ana Lima' });
  const long = { ...entraUser(newAddress()), displayName: 'x'.repeat(200) };
  const { id } = (await directory('POST', '/Users', long)).body;
  const { name } = await organization.admin.ok('getUser', { params: { id: String(id) } });
  expect(name).toHaveLength(120);
  expect(await client.ok('updateMe', { body: { name: 'Zoë 李 ناصر O’Neil-Smith' } })).toMatchObject({
    name: 'Zoë 李 ناصر O’Neil-Smith',
  });
});

test('a sign-in link works once, and nobody learns whether an address is known', async () => {
  const organization = await system.newOrganization();
  const { email } = await personIn(system, organization);
  const unknown = newAddress('nobody');
  const answers = await Promise.all(
    [email, unknown].map((address) => anybody.call('requestSignIn', { body: { email: address } })),
  );
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [200, { accepted: true }],
    [200, { accepted: true }],
  ]);
  const token = tokenIn(await letterTo(system, email, 2));
  const { verifier, codeChallenge } = proofKey();
  const uses = await Promise.all(
    Array.from({ length: 5 }, () => anybody.call('signIn', { body: { token, codeChallenge } })),
  );
  expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
  const { code } = uses.flatMap(({ status, body }) => (status === 200 && 'code' in body ? [body] : []))[0] ?? {};
  const stolen = { grant_type: 'authorization_code', code: String(code), code_verifier: proofKey().verifier };
  expect(await anybody.call('issueToken', { body: stolen })).toMatchObject(refused);
  // the attempt with another verifier used the code up
  expect(await anybody.call('issueToken', { body: { ...stolen, code_verifier: verifier } })).toMatchObject(refused);
  expect(await lettersTo(system, unknown)).toEqual([]);
});

test('a refresh token works once: a copy that comes again ends the session with its access tokens', async () => {
  const person = await personIn(system, await system.newOrganization());
  const first = await refresh(person.refreshToken);
  const next = 'refresh_token' in first.body ? String(first.body.refresh_token) : '';
  const accessToken = 'access_token' in first.body ? first.body.access_token : '';
  const client = system.client(() => accessToken);
  await client.ok('getMe');
  expect(await refresh(person.refreshToken)).toMatchObject(refused);
  expect(await refresh(next)).toMatchObject(refused);
  expect(await client.call('getMe')).toMatchObject({ status: 401 });
  expect(await person.client.call('getMe')).toMatchObject({ status: 401 });
});

test('an authorization code and its link open nothing once they were used, also with the right verifier', async () => {
  const { email } = await personIn(system, await system.newOrganization());
  await anybody.ok('requestSignIn', { body: { email } });
  const { verifier, codeChallenge } = proofKey();
  const link = { token: tokenIn(await letterTo(system, email, 2)), codeChallenge };
  const { code } = await anybody.ok('signIn', { body: link });
  const body = { grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier };
  const answers = await Promise.all([1, 2, 3].map(() => anybody.call('issueToken', { body })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await anybody.call('issueToken', { body })).toMatchObject(refused);
  expect(await anybody.call('signIn', { body: link })).toMatchObject(refused);
});

test('a browser keeps the refresh token in a cookie that only a JSON request to the token endpoint may use', async () => {
  const { email } = await personIn(system, await system.newOrganization());
  await anybody.ok('requestSignIn', { body: { email } });
  const { verifier, codeChallenge } = proofKey();
  const token = tokenIn(await letterTo(system, email, 2));
  const { code } = await anybody.ok('signIn', { body: { token, codeChallenge } });
  const body = { grant_type: 'authorization_code', code: code ?? '', code_verifier: verifier };
  const answer = await anybody.call('issueToken', { body });
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/HttpOnly; Secure; SameSite=Strict$/);
  expect(answer.body).not.toHaveProperty('refresh_token');
  const headers = { cookie: `other=1; ${cookie.split(';')[0]}` };
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
  const path = '/api/v1/oauth/token';
  expect(await anybody.send('POST', path, { headers: form, body: 'grant_type=refresh_token' })).toMatchObject(refused);
  const taken = { grant_type: 'refresh_token', refresh_token_in: 'body' };
  const script = await anybody.send('POST', path, { headers, body: taken });
  expect(script).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  expect(script.headers.get('set-cookie')).toBeNull();
  const renewed = await anybody.send('POST', path, { headers, body: { grant_type: 'refresh_token' } });
  expect(renewed).toMatchObject({ status: 200, body: { expires_in: 900 } });
  expect(renewed.headers.get('set-cookie')).not.toBe(cookie);
});

test('a person of two organizations switches without signing in again', async () => {
  const [one, two] = [await system.newOrganization(), await system.newOrganization()];
  const first = await personIn(system, one, { role: 'viewer' });
  const second = await personIn(system, two, { role: 'admin', email: first.email, name: 'Called otherwise' });
  const me = await second.client.ok('getMe');
  expect(me.organizations.map(({ id, active }) => [id, active])).toEqual([
    [one.organizationId, true],
    [two.organizationId, true],
  ]);
  expect(me.name).toBe('Ana Lima');
  const switched = await refresh(second.refreshToken, one.organizationId);
  const accessToken = 'access_token' in switched.body ? switched.body.access_token : '';
  const client = system.client(() => accessToken);
  expect(await client.ok('getMe')).toMatchObject({ id: first.id, activeOrganizationId: one.organizationId });
  expect(await client.call('listApiKeys')).toMatchObject({ status: 401 });
  const stranger = await system.newOrganization();
  const token = 'refresh_token' in switched.body ? String(switched.body.refresh_token) : '';
  expect(await refresh(token, stranger.organizationId)).toMatchObject(refused);
});

test('a change of role, a suspension and a deactivation hold; the id stays when the user is activated again', async () => {
  const organization = await system.newOrganization();
  const { admin } = organization;
  const person = await personIn(system, organization, { role: 'admin' });
  const params = { id: person.id };
  const key = await person.client.ok('createApiKey', { body: { name: 'CI', scopes: ['findings:read'] } });
  expect(await person.client.call('suspendUser', { params })).toMatchObject({
    status: 400,
    body: { code: 'conflict' },
  });
  await admin.ok('updateUser', { params, body: { roles: [{ roleId: 'viewer' }] } });
  expect(await person.client.call('listApiKeys')).toMatchObject({ status: 401 });
  expect(await admin.ok('suspendUser', { params })).toMatchObject({ status: 'suspended' });
  expect(await person.client.call('getMe')).toMatchObject({ status: 401 });
  expect(await refresh(person.refreshToken)).toMatchObject(refused);
  expect(await admin.ok('activateUser', { params })).toMatchObject({ id: person.id, status: 'active' });
  // the access token is of the time before
  expect(await person.client.call('getMe')).toMatchObject({ status: 401 });
  const { accessToken } = await signInWithLink(system, person.email);
  expect(await system.client(() => accessToken).ok('getMe')).toMatchObject({ id: person.id });
  const deletion = await admin.ok('deactivateUser', { params });
  expect(deletion).toMatchObject({ id: person.id, made: { apiKeys: [{ id: key.id, revokedAt: expect.any(String) }] } });
  expect(await system.client(() => key.secret).call('listFindings')).toMatchObject({ status: 401 });
  expect(await admin.ok('listUsers', { query: { status: 'deactivated' } })).toMatchObject({ totalCount: 1 });
  expect(await admin.ok('searchUsers', { query: { search: 'lima' } })).toMatchObject({ totalCount: 1 });
});

test('people see their sessions and end one or all', async () => {
  const person = await personIn(system, await system.newOrganization());
  const other = await signInWithLink(system, person.email);
  const otherClient = system.client(() => other.accessToken);
  const { data: sessions } = await person.client.ok('listMySessions');
  expect(sessions.map(({ current }) => current)).toEqual([false, true]);
  const [newest] = sessions;
  await person.client.ok('endMySession', { params: { id: newest?.id ?? '' } });
  expect(await otherClient.call('getMe')).toMatchObject({ status: 401 });
  expect(await refresh(other.refreshToken)).toMatchObject(refused);
  await signInWithLink(system, person.email);
  expect(await person.client.ok('endMySession', { params: { id: 'current' } })).toEqual({ ended: 1 });
  expect(await person.client.call('getMe')).toMatchObject({ status: 401 });
  const last = await signInWithLink(system, person.email);
  expect(await system.client(() => last.accessToken).ok('endMySessions')).toEqual({ ended: 2 });
  expect(await person.client.call('getMe')).toMatchObject({ status: 401 });
  expect(await refresh(person.refreshToken)).toMatchObject(refused);
});

test('a person changes how they are called everywhere', async () => {
  const [one, two] = [await system.newOrganization(), await system.newOrganization()];
  const { email, client } = await personIn(system, one);
  const { id } = await personIn(system, two, { email });
  expect(await client.ok('updateMe', { body: { name: 'Ana Maria' } })).toMatchObject({ name: 'Ana Maria' });
  expect(await two.admin.ok('getUser', { params: { id } })).toMatchObject({ name: 'Ana Maria' });
  expect(await one.admin.call('getMe')).toMatchObject({ status: 401 });
});

test('the task of a letter forgets the address when the letter is sent', async () => {
  const organization = await system.newOrganization();
  const { email } = await personIn(system, organization);
  const table = openTable(system.connections.dynamo, organization.organizationId);
  const { data } = await organization.admin.ok('listTasks');
  const [letter] = data.filter(({ operation }) => operation === 'send_letter');
  const stored = await until(
    () => table.rows(taskRows).find({ id: letter?.id ?? '' }, true),
    (task) => task?.status === 'succeeded',
  );
  expect(stored).toMatchObject({ input: {}, result: { sent: true } });
  expect(JSON.stringify(stored)).not.toContain(email);
});
