import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import { createSalesRequest } from '#shared/people/sales-requests.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { Client } from '../support/client.ts';
import { everyRecordOf } from '../support/every-record.ts';
import { allowed, callersOf, digest, type NamedRoute, routes, type TestCaller } from '../support/every-route.ts';
import { testSystem } from '../support/system.ts';

/**
 * Requests that have nothing to do, on a record of each collection: they answer the record as it is, and write nothing. This file
 * has its own system, so that the whole table can be compared.
 */
const local = await startLocalSystem({ port: 0, checkResponses: true, schedules: false });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
let callers: TestCaller[] = [];
let records = new Map<string, string>();

beforeAll(async () => {
  const organization = await system.newOrganization();
  callers = await callersOf(organization);
  // the first use of each account is noted before the table is compared
  await Promise.all(callers.map(({ client }) => client.ok('listConfig')));
  records = await everyRecordOf(system.connections, organization);
  const sent = { email: 'ada@engines.example', name: 'Ada', company: null, message: 'Hello', consentVersion: '1' };
  const request = await createSalesRequest(openTable(system.connections.dynamo, GLOBAL_SCOPE), sent);
  records.set('/api/v1/sales-requests', request.id);
});
afterAll(() => local.stop());

type Answer = { status: number; body: Record<string, unknown> };

const pathOf = (of: string): string => of.slice(0, of.indexOf('/{'));
const caller = (route: NamedRoute): Client => allowed(callers, route)?.client ?? system.client();

/** A request to an operation on the record of its collection. */
async function ask(route: NamedRoute, more: object = {}): Promise<Answer> {
  const id = records.get(pathOf(route.path)) ?? '';
  const [name = ''] = /(?<=\{)\w+/.exec(route.path) ?? [];
  const { status, body } = await caller(route).send(route.method, route.path, { params: { [name]: id }, ...more });
  return { status, body: Object(body) };
}

const isOfOneRecord = ({ path }: NamedRoute): boolean => /^[^{]+\/\{\w+\}$/.test(path);
const readerOf = ({ path }: NamedRoute) => routes.find((one) => one.method === 'GET' && one.path === path);
const changes = routes
  .filter((route) => route.method === 'PATCH' && isOfOneRecord(route))
  .flatMap((change) => {
    const reader = readerOf(change);
    return reader ? [{ ...change, reader }] : [];
  });

test('most records that can be changed can be read, so that this file judges them', () => {
  expect(changes.length).toBeGreaterThan(25);
});

describe.each(changes)('$method $path', ({ reader, ...change }) => {
  test('without a change answers the record as it is, and writes nothing', async () => {
    const { status, body: before } = await ask(reader);
    expect(status, JSON.stringify(before)).toBe(200);
    const current = await digest(local.connections.dynamo);
    const named = Object.entries(before).filter(([name]) => SAME.includes(name));
    for (const body of [{}, Object.fromEntries(named)]) {
      const answer = await ask(change, { body });
      expect(answer).toMatchObject({ status: 200, body: { id: before.id, version: before.version } });
      expect(answer.body.updatedAt).toBe(before.updatedAt);
    }
    expect((await ask(reader)).body).toEqual(before);
    expect(await digest(local.connections.dynamo)).toBe(current);
  });

  test('for an older version is refused with the present record', async () => {
    const { status, body: before } = await ask(reader);
    expect(status, JSON.stringify(before)).toBe(200);
    const answer = await ask(change, { body: {}, headers: { 'if-match': '"999"' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'conflict', current: { version: before.version } } });
  });
});

/** Fields that most records have; sending their present values changes nothing. */
const SAME = ['name', 'description', 'version'];
