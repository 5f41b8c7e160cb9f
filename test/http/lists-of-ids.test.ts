import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { newId } from '#shared/platform/runtime/ids.ts';
import { everyRecordOf } from '../support/every-record.ts';
import { allowed, callersOf, type NamedRoute, parametersAs, routes, type TestCaller } from '../support/every-route.ts';
import { startSystem } from '../support/system.ts';

/** Integrations read the records that they miss: up to 100 with one request to the list of any collection. */
const system = startSystem();

/** The record that a list answers, if its records have ids. */
function recordIn({ method, response }: NamedRoute): boolean {
  if (method !== 'GET' || !(response instanceof z.ZodObject)) return false;
  const { data } = response.shape as { data?: z.ZodType };
  return data instanceof z.ZodArray && data.element instanceof z.ZodObject && 'id' in data.element.shape;
}

const takesIds = ({ query }: NamedRoute): boolean => query !== undefined && 'ids' in query.shape;

/** Answers with ids that are no lists of a collection: logs, lists in memory, lists of other records by a relation. */
const NO_COLLECTIONS = [
  '/api/v1/changes',
  '/api/v1/tasks',
  // the built-in roles are no records
  '/api/v1/roles',
  '/api/v1/users/me/sessions',
  '/api/v1/users/me/passkeys',
  '/api/v1/validation-operations/engagements/my',
  '/api/v1/validation-operations/engagements/staff',
  '/api/v1/validation-operations/public-scanner-groups/options',
  '/api/v1/findings/{id}/followers',
  '/api/v1/exposed-credentials/{id}/places',
  '/api/v1/software/applications/{id}/available-assets',
  '/api/v1/compliance/controls',
  '/api/v1/siem/events',
  '/api/v1/soc/alerts/{id}/deliveries',
  '/api/v1/deliveries',
  '/api/v1/events',
  '/api/v1/notifications',
];

test('every list of a collection takes ids', () => {
  const without = routes.filter((route) => recordIn(route) && !takesIds(route)).map(({ path }) => path);
  expect(without.filter((path) => !/\/search$|^\/api\/v1\/apex\/engagements\//.test(path))).toEqual(NO_COLLECTIONS);
});

const lists = routes.filter((route) => takesIds(route) && !route.path.includes('{'));
const parts = routes.filter((route) => takesIds(route) && route.path.includes('{'));

type Page = { status: number; body: { data: { id: string }[]; totalCount: number } };

describe('the list', () => {
  let callers: TestCaller[];
  let others: TestCaller[];
  let records: Map<string, string>;
  beforeAll(async () => {
    const [organization, other] = await Promise.all([system.newOrganization(), system.newOrganization()]);
    [callers, others] = await Promise.all([callersOf(organization), callersOf(other)]);
    records = await everyRecordOf(system.connections, organization);
  });

  const ask = async (route: NamedRoute, query: Record<string, string> = {}, by = callers): Promise<Page> => {
    const params = parametersAs(route, records.get(route.path.slice(0, route.path.indexOf('/{'))) ?? newId());
    return (await allowed(by, route)?.client.send('GET', route.path, { params, query })) as Page;
  };

  test.each(lists)('$path gives the records with these ids, and no record of another organization', async (route) => {
    const { body: all } = await ask(route);
    const [first] = all.data;
    if (!first) expect(EMPTY).toContain(route.path);
    const ids = [newId(), ...(first ? [first.id] : [])].join(',');
    expect(await ask(route, { ids })).toMatchObject({
      status: 200,
      body: { data: first ? [{ id: first.id }] : [], totalCount: first ? 1 : 0 },
    });
    const isOfProvider = OF_PROVIDER.some((path) => route.path.startsWith(path));
    if (!isOfProvider) expect((await ask(route, { ids }, others)).body).toMatchObject({ data: [], totalCount: 0 });
    const tooMany = Array.from({ length: 101 }, newId).join(',');
    expect(await ask(route, { ids: tooMany })).toMatchObject({ status: 400, body: { details: [{ path: 'ids' }] } });
  });

  test.each(parts)('$path of a record gives none of its records for unknown ids', async (route) => {
    const { status, body } = await ask(route, { ids: newId() });
    if (status === 200) expect(body.data).toEqual([]);
    else expect(body).toMatchObject({ code: 'not_found' });
  });
});

/** Lists that no example fills. */
const EMPTY = [
  '/api/v1/assets/merge-suggestions',
  '/api/v1/sales-requests',
  '/api/v1/teams/groups',
  '/api/v1/validation-operations/engagements/requests',
];

/** Lists of the provider, which all of its staff see. */
const OF_PROVIDER = ['/api/v1/organizations', '/api/v1/organizations/all/templates', '/api/v1/sales-requests'];
