import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createServiceAccount } from '#shared/credentials/issue.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { makeClient } from '../support/client.ts';
import { everyOperation, exampleBody, type NamedRoute, parametersAs, paramNames } from '../support/every-route.ts';
import { lettersTo, letterTo, personIn, signInWithLink, tokenIn } from '../support/people.ts';
import {
  added,
  type Directory,
  directoryOf,
  ENTERPRISE,
  entraUser,
  GROUP,
  oktaUser,
  patchOf,
  query,
  refused,
  USER,
} from '../support/scim.ts';
import { newAddress } from '../support/sign-in.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';

/** SCIM as Entra ID and Okta speak it, by the requests of their public documentation. */
const system = startSystem();
let organization: TestOrganization;
let directory: Directory;
beforeAll(async () => {
  organization = await system.newOrganization();
  directory = await directoryOf(system, organization);
});

const signedIn = async (email: string) => {
  const { accessToken } = await signInWithLink(system, email);
  return system.client(() => accessToken);
};

describe('a user', () => {
  test.each([
    ['Entra ID', entraUser],
    ['Okta', oktaUser],
  ])('of %s who is new works at once, as a viewer', async (_, bodyOf) => {
    const email = newAddress();
    expect((await directory('GET', `/Users${query(`userName eq "${email}"`)}`)).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
    const body = bodyOf(email);
    const answer = await directory('POST', '/Users', body);
    const { externalId } = body;
    const shown = { externalId, userName: email, active: true, displayName: 'Test User', emails: [{ value: email }] };
    expect(answer).toMatchObject({ status: 201, body: { schemas: [USER], ...shown } });
    expect(answer.headers.get('content-type')).toBe('application/scim+json');
    const id = String(answer.body.id);
    expect(await organization.admin.ok('getUser', { params: { id } })).toMatchObject({
      email,
      status: 'active',
      managedBy: 'scim',
      roles: [{ roleId: 'viewer' }],
    });
    expect(await lettersTo(system, email)).toEqual([]);
    const client = await signedIn(email);
    expect(await client.ok('getMe')).toMatchObject({ id, name: 'Test User' });
    for (const filter of [`userName eq "${email.toUpperCase()}"`, `externalId eq "${externalId}"`, `id eq "${id}"`])
      expect((await directory('GET', `/Users${query(filter)}`)).body).toMatchObject({
        totalResults: 1,
        Resources: [{ id }],
      });
    expect(await directory('POST', '/Users', body)).toMatchObject(refused(409, 'uniqueness'));
  });

  test('whom the service knows from elsewhere is asked, also after coming back', async () => {
    const elsewhere = await personIn(system, await system.newOrganization(), { name: 'Own Name' });
    const { id, email } = await added(directory, elsewhere.email);
    const user = () => organization.admin.ok('getUser', { params: { id } });
    expect(await user()).toMatchObject({ status: 'invited', managedBy: 'scim', joinedAt: null });
    expect((await elsewhere.client.ok('getMe')).organizations.map(({ active }) => active)).toEqual([true, false]);
    expect((await directory('GET', `/Users/${id}`)).body).toMatchObject({ active: true });
    await directory('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' }));
    expect(await user()).toMatchObject({ status: 'deactivated' });
    await directory('PATCH', `/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'True' }));
    expect(await user()).toMatchObject({ status: 'invited' });
    expect(await organization.admin.ok('deactivateUser', { params: { id } })).toMatchObject({ id });
    expect(await organization.admin.ok('activateUser', { params: { id } })).toMatchObject({ status: 'invited' });
    expect(tokenIn(await letterTo(system, email, 3))).not.toBe('');
  });

  test('who was invited here is found by the address, and is the directory’s from its first change', async () => {
    const { id, email } = await personIn(system, organization, { role: 'analyst' });
    const found = await directory('GET', `/Users${query(`userName eq "${email}"`)}`);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, userName: email, active: true }] });
    const change = patchOf({ op: 'Add', path: 'externalId', value: `ext-${id}` });
    expect(await directory('PATCH', `/Users/${id}`, change)).toMatchObject({
      status: 200,
      body: { externalId: `ext-${id}` },
    });
    const user = await organization.admin.ok('getUser', { params: { id } });
    expect(user).toMatchObject({ managedBy: 'scim', status: 'active', roles: [{ roleId: 'analyst' }] });
  });

  const spellings = {
    'Entra ID, without the parameter': patchOf({ op: 'Replace', path: 'active', value: 'False' }),
    'Entra ID, with the parameter': patchOf({ op: 'replace', path: 'active', value: false }),
    'Entra ID, without a path': patchOf({ op: 'Replace', value: { active: 'False' } }),
    Okta: patchOf({ op: 'replace', value: { active: false } }),
    'the whole name': patchOf({ op: 'replace', path: `${USER}:active`, value: false }),
  };
  test.each(Object.entries(spellings))('leaves and comes back with the same id (%s)', async (_, leaves) => {
    const { id, email } = await added(directory);
    const client = await signedIn(email);
    await client.ok('getMe');
    for (const repeat of [1, 2])
      expect([repeat, await directory('PATCH', `/Users/${id}`, leaves)]).toMatchObject([
        repeat,
        { status: 200, body: { id, active: false } },
      ]);
    expect(await client.call('getMe')).toMatchObject({ status: 401 });
    const gone = await directory('GET', `/Users${query('active eq false')}`);
    expect(JSON.stringify(gone.body)).toContain(id);
    const back = patchOf({ op: 'replace', value: { active: true } });
    expect(await directory('PATCH', `/Users/${id}`, back)).toMatchObject({ status: 200, body: { id, active: true } });
    expect(await client.call('getMe')).toMatchObject({ status: 401 });
    expect(await (await signedIn(email)).ok('getMe')).toMatchObject({ id });
  });

  test('who is deleted is deactivated, and so are the keys that they made', async () => {
    const { id, email } = await added(directory);
    await organization.admin.ok('updateUser', { params: { id }, body: { roles: [{ roleId: 'admin' }] } });
    const key = { name: 'theirs', scopes: ['findings:read' as const] };
    const { secret } = await (await signedIn(email)).ok('createApiKey', { body: key });
    const program = system.client(() => secret);
    await program.ok('listFindings');
    const answer = await directory('DELETE', `/Users/${id}`);
    expect([answer.status, answer.body]).toEqual([204, {}]);
    expect(await program.call('listFindings')).toMatchObject({ status: 401 });
    expect(await organization.admin.ok('getUser', { params: { id } })).toMatchObject({ status: 'deactivated' });
    expect((await directory('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await directory('GET', `/Users/${id}`)).body).toMatchObject({ active: false });
  });

  test('who is suspended here stays suspended, whatever the directory sends', async () => {
    const { id } = await added(directory);
    await organization.admin.ok('suspendUser', { params: { id } });
    const change = patchOf({ op: 'replace', value: { active: true } });
    expect(await directory('PATCH', `/Users/${id}`, change)).toMatchObject({ status: 200, body: { active: true } });
    expect(await organization.admin.ok('getUser', { params: { id } })).toMatchObject({ status: 'suspended' });
  });

  test('takes the changes of Entra ID, and keeps the address', async () => {
    const { id, email } = await added(directory);
    const changes = patchOf(
      { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
      { op: 'Replace', path: 'name.familyName', value: 'Changed' },
      { op: 'Replace', path: 'displayName', value: 'Test Changed' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Security' },
      { op: 'Add', path: 'addresses[type eq "work"].country', value: 'France' },
      { op: 'Replace', value: { 'name.givenName': 'Tess', title: 'Engineer' } },
    );
    const shown = { name: { givenName: 'Tess', familyName: 'Changed' }, displayName: 'Test Changed' };
    const first = await directory('PATCH', `/Users/${id}`, changes);
    expect(first).toMatchObject({ status: 200, body: shown });
    expect((await directory('PATCH', `/Users/${id}`, changes)).body).toEqual(first.body);
    const other = patchOf({ op: 'Replace', path: 'emails[type eq "work"].value', value: newAddress() });
    expect(await directory('PATCH', `/Users/${id}`, other)).toMatchObject(refused(400, 'mutability'));
  });

  test.each([
    ['Entra ID', entraUser, (zone: string) => patchOf({ op: 'Add', path: 'timezone', value: zone })],
    ['Okta', oktaUser, (timezone: string) => patchOf({ op: 'replace', value: { timezone } })],
  ])('of %s has the zone and the language of the directory, until the person chooses', async (_, bodyOf, moved) => {
    const email = newAddress();
    const said = { locale: 'en_GB', preferredLanguage: 'de-CH, en;q=0.8', timezone: 'Europe/Zurich' };
    const answer = await directory('POST', '/Users', { ...bodyOf(email), ...said });
    const shown = { timezone: 'Europe/Zurich', locale: 'de-CH', preferredLanguage: 'de-CH' };
    expect(answer).toMatchObject({ status: 201, body: shown });
    const path = `/Users/${String(answer.body.id)}`;
    const person = await signedIn(email);
    expect(await person.ok('getMe')).toMatchObject({ timeZone: 'Europe/Zurich', locale: 'de-CH' });

    const invalid = { timezone: 'W. Europe Standard Time', locale: 7, preferredLanguage: 'the mountains' };
    expect((await directory('PUT', path, { ...bodyOf(email), ...invalid })).body).toMatchObject(shown);
    for (const zone of ['Asia/Tokyo', 'Asia/Tokyo', 'Mars/Base'])
      expect((await directory('PATCH', path, moved(zone))).body).toMatchObject({ ...shown, timezone: 'Asia/Tokyo' });
    expect(await person.ok('getMe')).toMatchObject({ timeZone: 'Asia/Tokyo' });

    await person.ok('updateMe', { body: { timeZone: 'UTC' } });
    expect((await directory('PATCH', path, moved('Europe/Zurich'))).body).toMatchObject({ timezone: 'UTC' });
    const language = patchOf({ op: 'replace', path: 'locale', value: 'fr-FR' }, { op: 'remove', path: 'timezone' });
    expect((await directory('PATCH', path, language)).body).toMatchObject({ timezone: 'UTC', locale: 'fr-FR' });
    expect(await person.ok('getMe')).toMatchObject({ timeZone: 'UTC', locale: 'fr-FR' });
  });

  test('of several organizations keeps the zone: no directory speaks for the others', async () => {
    const { id, email } = await added(directory);
    const other = await system.newOrganization();
    await personIn(system, other, { email });
    const change = patchOf({ op: 'replace', path: 'timezone', value: 'Asia/Tokyo' });
    expect((await directory('PATCH', `/Users/${id}`, change)).body).toMatchObject({ timezone: 'UTC' });
    expect(await (await signedIn(email)).ok('getMe')).toMatchObject({ timeZone: 'UTC' });
  });

  test('cannot be reached by another organization', async () => {
    const { id, email } = await added(directory);
    const foreign = await directoryOf(system, await system.newOrganization());
    expect(await foreign('GET', `/Users/${id}`)).toMatchObject(refused(404));
    expect(await foreign('PATCH', `/Users/${id}`, patchOf({ op: 'replace', value: { active: false } }))).toMatchObject(
      refused(404),
    );
    expect(await foreign('PUT', `/Users/${id}`, entraUser(email))).toMatchObject(refused(404));
    expect(await foreign('DELETE', `/Users/${id}`)).toMatchObject(refused(404));
    expect((await foreign('GET', '/Users')).body).toMatchObject({ totalResults: 0 });
    const group = { schemas: [GROUP], displayName: 'Theirs', members: [{ value: id }] };
    expect(await foreign('POST', '/Groups', group)).toMatchObject(refused(400, 'invalidValue'));
  });

  test('PATCH is the same as PUT of the patched resource', async () => {
    const [one, other] = [await added(directory), await added(directory)];
    const word = fc.stringMatching(/^[A-Za-z]{1,12}$/);
    const target = fc.constantFrom('displayName', 'name.givenName', 'name.familyName', 'userName', 'externalId');
    const operation = fc.record({
      op: fc.constantFrom('add', 'replace', 'Replace', 'Add'),
      path: target,
      value: word.map((text) => `${text}-${newId()}`),
    });
    const withoutPath = ({ op, path, value }: { op: string; path: string; value: string }) => ({
      op,
      value: { [path]: value },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 4 }), fc.boolean(), async (operations, plain) => {
        const patch = patchOf(...operations.map((each) => (plain ? withoutPath(each) : each)));
        const patched = (await directory('PATCH', `/Users/${one.id}`, patch)).body;
        // the names of a directory belong to one user: the second takes them after the first has others
        await directory('PUT', `/Users/${one.id}`, { ...entraUser(one.email), userName: `free-${newId()}` });
        const sent = { ...Object(patched), emails: undefined };
        const put = (await directory('PUT', `/Users/${other.id}`, sent)).body;
        const facts = ({ displayName, name, userName, externalId }: Record<string, unknown>) => ({
          displayName,
          name,
          userName,
          externalId,
        });
        expect(facts(put)).toEqual(facts(patched));
      }),
      { numRuns: 15 },
    );
  });
});

test('a path cannot reach into the prototypes of objects', async () => {
  const { id } = await added(directory);
  for (const path of ['__proto__.polluted', 'name.__proto__.polluted', 'constructor.prototype', 'name.constructor'])
    await directory('PATCH', `/Users/${id}`, patchOf({ op: 'add', path, value: 'x' }));
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(await directory('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: '((', value: 1 }))).toMatchObject(
    refused(400, 'invalidPath'),
  );
});

describe('every operation of SCIM', () => {
  const operations = everyOperation.filter(({ dialect }) => dialect === 'scim');
  const send = (client: ReturnType<typeof makeClient>, route: NamedRoute, body = exampleBody(route)) =>
    client.send(route.method, route.path, { params: parametersAs(route, newId()), body });

  test('is there', () => {
    expect(operations.map(({ path }) => path.split('/')[3])).toEqual(
      expect.arrayContaining(['Users', 'Groups', 'ServiceProviderConfig', 'Schemas', 'ResourceTypes']),
    );
  });

  test.each(operations)('$method $path answers errors and statuses of RFC 7644', async (route) => {
    const viewer = await organization.withRole('viewer');
    expect(await send(system.client(), route)).toMatchObject(refused(401));
    const wrong = makeClient(system.baseUrl, () => `exc_${'0'.repeat(44)}.exs_${'0'.repeat(49)}`);
    expect(await send(wrong, route)).toMatchObject(refused(401));
    expect(await send(viewer, route)).toMatchObject(refused(403));
    const answer = await send(organization.admin, route);
    if (paramNames(route).length > 0) expect(answer).toMatchObject(refused(404));
    else expect([200, 201]).toContain(answer.status);
    expect(answer.headers.get('content-type')).toBe('application/scim+json');
    if (!route.body) return;
    const invalid = () => organization.admin.send(route.method, route.path, { params: { id: newId() }, body: '{' });
    expect(await invalid()).toMatchObject(refused(400, 'invalidSyntax'));
    const headers = { 'content-type': 'text/xml' };
    const xml = { params: { id: newId() }, body: '<a/>', headers };
    expect(await organization.admin.send(route.method, route.path, xml)).toMatchObject(refused(415));
  });
});

test('the secret of an account is a token for SCIM only, and ends with the account', async () => {
  const { table, admin } = organization;
  const account = await createServiceAccount(table, { name: 'ends', role: 'admin' });
  const client = makeClient(system.baseUrl, () => `${account.clientId}.${account.clientSecret}`);
  expect(await client.send('GET', '/scim/v2/Users')).toMatchObject({ status: 200 });
  expect(await client.send('GET', '/api/v1/users')).toMatchObject({ status: 401 });
  await admin.ok('revokeServiceAccount', { params: { id: account.id } });
  expect(await client.send('GET', '/scim/v2/Users')).toMatchObject(refused(401));
});
