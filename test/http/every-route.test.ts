import { dirname } from 'node:path/posix';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorRecord } from '#infra/openapi/errors.ts';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Client, makeClient, type RawAnswer } from '../support/client.ts';
import { everyRecordOf } from '../support/every-record.ts';
import {
  allowed,
  callersOf,
  collectionOf,
  digest,
  everyOperation,
  exampleBody,
  exampleQuery,
  type NamedRoute,
  parametersAs,
  paramNames,
  refused,
  routes,
  type TestCaller,
  wrongBodies,
} from '../support/every-route.ts';
import { asOthersName } from '../support/records.ts';
import { testSystem } from '../support/system.ts';
import { follow } from '../support/vulnerabilities.ts';

/**
 * The duties of each operation to its caller. This file has its own system, so that the whole table can be compared
 * before and after a refused request, which changes nothing.
 */
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
const anyone = system.client();
let ours: TestCaller[] = [];
let theirRecords = new Map<string, string>();

beforeAll(async () => {
  const [our, other] = await Promise.all([system.newOrganization(), system.newOrganization()]);
  // an answer that refuses too many requests would stand for another refusal
  const staff = await other.withRole('platform_owner');
  for (const { organizationId: id } of [our, other])
    await staff.ok('updateOrganizationLimits', { params: { id }, body: { requestsPerSecond: 100_000 } });
  ours = await callersOf(our);
  // Each caller gets its access token before the table is compared.
  await Promise.all(ours.map(({ client }) => client.ok('listConfig')));
  theirRecords = asOthersName(await everyRecordOf(system.connections, other));
  await follow({ connections: system.connections, table: our.table });
  current = await digest(local.connections.dynamo);
});
afterAll(() => local.stop());

const send = (client: Client, route: NamedRoute, more: object = {}): Promise<RawAnswer> => {
  return client.send(route.method, route.path, {
    params: parametersAs(route, newId()),
    body: exampleBody(route),
    query: exampleQuery(route),
    ...more,
  });
};

const caller = (route: NamedRoute): Client => {
  const fitting = allowed(ours, route);
  if (!fitting) throw new Error(`no test caller may call ${route.name}`);
  return route.access === 'public' ? anyone : fitting.client;
};

/** The content of the table before the requests of an operation. */
let current = '';

/** Compares the table after all refusals of an area: after each operation it would take most of the time. */
const changesNothing = () => afterAll(expectUnchanged);

async function expectUnchanged(): Promise<void> {
  const before = current;
  current = await digest(local.connections.dynamo);
  expect(current).toBe(before);
}

/** Expects a refusal with the record Error. */
async function expectRefusal(requests: () => Promise<RawAnswer>[], expected: object): Promise<void> {
  for (const { status, body } of await Promise.all(requests())) {
    expect({ status, ...Object(body) }).toMatchObject(expected);
    expect(ErrorRecord.strict().safeParse(body).error).toBeUndefined();
  }
}

const unlisted = 'exk_00000000000000000000000000000000000000000000_0000000000000000000000000000000000000000000000000';
const garbage = ['nonsense', 'exk_', unlisted, 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.', 'exl_1_1', '\u00e9'];

const ofCaller = (route: NamedRoute) => {
  test('is refused without a credential', () =>
    expectRefusal(() => [send(anyone, route)], { status: 401, code: 'unauthorized' }));

  test('is refused with an invented credential', () =>
    expectRefusal(
      () =>
        garbage.map((text) =>
          send(
            makeClient(local.baseUrl, () => text),
            route,
          ),
        ),
      {
        status: 401,
        code: 'unauthorized',
      },
    ));

  if (route.access !== 'authenticated')
    test('is refused with a credential without the right, which is named', () =>
      expectRefusal(() => refused(ours, route).map(({ client }) => send(client, route)), {
        status: 401,
        code: 'insufficient_scope',
      }));

  if (paramNames(route).length > 0)
    test("answers not_found for another organization's record", async () => {
      const collection = collectionOf(route);
      const theirs = theirRecords.get(collection) ?? theirRecords.get(dirname(collection));
      expect(theirs, `a record in ${collection}`).toBeDefined();
      const ids = [theirs ?? '', newId(), 'no-uuid', '%2e%2e', 'x'.repeat(3000)];
      const requests = () =>
        ids.map((id) => send(caller(route), route, { params: parametersAs(route, id), body: mildBody(route) }));
      await expectRefusal(requests, { status: 400, code: 'not_found' });
    });
};

/** A body that reaches the record: a patch without changes, otherwise the example. */
const mildBody = (route: NamedRoute) => (route.method === 'PATCH' ? {} : exampleBody(route));

const ofBody = (route: NamedRoute) => {
  test('is refused when it is not JSON', () =>
    expectRefusal(() => ['{', '{"a":1,}', "{'a':1}", 'undefined'].map((body) => send(caller(route), route, { body })), {
      status: 400,
      code: 'malformed_json',
    }));

  test('is refused when it has the wrong shape', () =>
    expectRefusal(() => ['[]', '"text"', '12', 'null'].map((body) => send(caller(route), route, { body })), {
      status: 400,
      code: 'validation_failed',
    }));

  // A route that takes files takes them with any media type.
  test.skipIf('file' in route)('is refused when it has another media type', () => {
    const headers = { 'content-type': 'text/xml' };
    return expectRefusal(() => [send(caller(route), route, { headers })], {
      status: 400,
      code: 'unsupported_media_type',
    });
  });

  test.each(wrongBodies(route))('is refused with the name of the wrong $field', ({ field, body }) =>
    expectRefusal(() => [send(caller(route), route, { body })], {
      status: 400,
      code: 'validation_failed',
      details: expect.arrayContaining([
        { path: expect.stringMatching(RegExp(`^${field}\\b`)), message: expect.any(String) },
      ]),
    }),
  );

  if (!route.lenient)
    test('is refused with the name of an unknown field', () => {
      const body = { ...Object(mildBody(route)), surprise: 1 };
      return expectRefusal(() => [send(caller(route), route, { body })], {
        status: 400,
        code: 'validation_failed',
        details: [{ path: 'surprise', message: expect.stringMatching(/^unknown field; it takes [\w, ]+…?$/) }],
      });
    });
};

/** Nobody without the secret learns from an answer what a body should be. */
const ofSignedBody = (route: NamedRoute) =>
  test('is refused before it is parsed, when its signature is missing', () =>
    expectRefusal(() => ['{', '[]', '{}', 'text'].map((body) => send(caller(route), route, { body })), {
      status: 401,
      code: 'unauthorized',
    }));

const withoutBody = (route: NamedRoute) =>
  test('refuses any field in the body, by its name', () =>
    expectRefusal(() => [send(caller(route), route, { body: { surprise: 1 } })], {
      status: 400,
      code: 'validation_failed',
      details: [{ path: 'surprise', message: 'unknown field; it takes none' }],
    }));

const pages = [
  { paginateFrom: -1 },
  { paginateFrom: 2 ** 53 - 1, paginateSize: 1 },
  { paginateSize: 0 },
  { paginateSize: 501 },
  { paginateFrom: 1.5 },
  { paginateSize: 'all' },
];
const ofQuery = (route: NamedRoute) => {
  test('is refused with the name of an unknown parameter', () =>
    expectRefusal(() => [send(caller(route), route, { query: { ...exampleQuery(route), surprise: 1 } })], {
      status: 400,
      code: 'validation_failed',
      details: [{ path: 'surprise', message: expect.stringMatching(/^unknown parameter; (it takes|this operation)/) }],
    }));

  if (route.query && 'paginateFrom' in route.query.shape)
    test('is refused when the page is out of bounds', () =>
      expectRefusal(
        () => pages.map((page) => send(caller(route), route, { query: { ...exampleQuery(route), ...page } })),
        { status: 400, code: 'validation_failed' },
      ));

  if (route.query && 'search' in route.query.shape)
    test('is refused when the search is empty', () =>
      expectRefusal(() => ['', '  '].map((search) => send(caller(route), route, { query: { search } })), {
        status: 400,
        code: 'validation_failed',
      }));
};

/** A public operation without a body can be asked by anybody. */
const judged = routes.filter(({ access, body }) => access !== 'public' || body);

describe.each([...Map.groupBy(judged, ({ area }) => area)])('%s', (_, ofArea) => {
  changesNothing();

  describe.each(ofArea)('$method $path', (route) => {
    const isOpen = route.access === 'public';
    if (!isOpen) ofCaller(route);
    if (route.signed) describe('the body', () => ofSignedBody(route));
    else if (route.body) describe('the body', () => ofBody(route));
    else if (!isOpen && route.method !== 'GET') withoutBody(route);
    if (!isOpen && !route.lenient) describe('the query', () => ofQuery(route));
  });
});

test.each(routes.filter(({ lenient, body }) => lenient && body))(
  '$method $path takes fields of newer machines',
  async (route) => {
    const { body } = await send(caller(route), route, { body: { ...Object(exampleBody(route)), surprise: 1 } });
    expect(JSON.stringify(body)).not.toContain('surprise');
  },
);

describe('all operations together', () => {
  // RFC 7644 names the paths of SCIM
  test.each(routes)('$method $path has a name like the others', ({ path }) => {
    expect(path).toMatch(/^\/(api\/(v1\/)?|docs|\.well-known\/)/);
    expect(path).toMatch(/^(\/([a-z0-9]+([-_.][a-z0-9]+)*|\.well-known|\{[a-z]+(_?[a-zA-Z]+)*\}))+$/);
  });

  test('no two operations answer the same request', () => {
    const requests = everyOperation.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(requests.filter((request, n) => requests.indexOf(request) !== n)).toEqual([]);
  });
});
