import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalSystem } from '#local/system.ts';
import type { MachineKind } from '#shared/auth/permissions.ts';
import { bootstrap } from '#shared/credentials/bootstrap.ts';
import type { Client } from '#test/support/client.ts';
import { edgy, edgyPart } from '#test/support/edges.ts';
import { allowed, callersOf, type NamedRoute, paramNames, routes, type TestCaller } from '#test/support/every-route.ts';
import { giveTask } from '#test/support/held-task.ts';
import { recordsOf } from '#test/support/records.ts';
import { type TestMachine, type TestOrganization, testSystem } from '#test/support/system.ts';

/**
 * No input is answered as an error of the service: numbers at the edges, half characters, names such as `constructor`,
 * deep and wide objects are stored and come back, or are refused with the name of the field.
 */
const local = await startLocalSystem({ port: 0, checkResponses: true });
await bootstrap(local.connections);
const system = testSystem(local.baseUrl, local.connections);
let organization: TestOrganization;
let callers: TestCaller[] = [];
let records = new Map<string, string>();
let appliance: TestMachine;
/** A task that the appliance holds. */
let held = '';

beforeAll(async () => {
  organization = await system.newOrganization();
  appliance = await organization.machine('apex');
  held = await heldTask();
  callers = await callersOf(organization);
  records = await recordsOf(callers);
});
afterAll(() => local.stop());

async function clientFor({ access, path }: NamedRoute): Promise<Client> {
  // a new secret may end the one before at once: another machine for each
  if (path.endsWith('/machine/secret')) return (await organization.machine('agent')).client;
  if (path.includes('/apex_communication/')) return appliance.client;
  return access === 'public' ? system.client() : (allowed(callers, access)?.client ?? system.client());
}

/** The id of a record of the path's collection, or of the collection above it. */
const idFor = ({ path }: NamedRoute): string => {
  const collections = [...records.keys()].filter((collection) => path.startsWith(`${collection}/`));
  const [nearest = ''] = collections.toSorted((a, b) => b.length - a.length);
  return records.get(nearest) ?? records.get('/api/v1/tasks') ?? '';
};

/** The values that no example can name: what exists, what is new, and what a poll must say. */
const KINDS: Record<string, MachineKind> = {
  scanner: 'scanner',
  apex: 'apex',
  collector: 'collector',
  integrator: 'integrator',
};

async function fixedFields({ path, name }: NamedRoute, body: object): Promise<object> {
  const kind = KINDS[Object.keys(KINDS).find((one) => path.includes(`/${one}_communication/`)) ?? ''] ?? 'agent';
  return {
    ...('engagementId' in body && { engagementId: records.get('engagementId') }),
    ...('taskId' in body && { taskId: held }),
    ...(path.endsWith('/link') && {
      name: 'example',
      instanceId: crypto.randomUUID(),
      ...body,
      linkToken: await organization.linkToken(kind),
    }),
    ...(path.endsWith('/new_tasks') && { capacity: 0, ...body }),
    ...(name === 'completeApexTasks' && { results: await heldResults(body) }),
    ...(Reflect.get(body, 'name') === 'example' && { name: crypto.randomUUID() }),
  };
}

const heldTask = async (): Promise<string> => (await giveTask(organization.table, appliance.id)).id;

/** The results as they are, for tasks that the appliance holds. */
async function heldResults(body: object): Promise<unknown> {
  const results: unknown = Reflect.get(body, 'results');
  if (!Array.isArray(results)) return results;
  const named: unknown[] = [];
  for (const one of results as unknown[])
    named.push(Object(one) === one ? { ...Object(one), taskId: await heldTask() } : one);
  return named;
}

async function withRecords(route: NamedRoute, body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { ...body, ...(await fixedFields(route, body)) };
}

function requestsTo(route: NamedRoute) {
  const id = fc.oneof({ weight: 6, arbitrary: fc.constant(idFor(route)) }, { weight: 1, arbitrary: edgyPart });
  const queried = Object.keys(route.query?.shape ?? {}).filter((name) => name !== 'waitSeconds');
  const headers = fc.constantFrom<Record<string, string>[]>(
    {},
    {},
    {},
    {},
    { 'if-match': '"9007199254740993"' },
    { 'idempotency-key': 'constructor' },
  );
  return fc.record({
    params: fc.record(Object.fromEntries(paramNames(route).map((name) => [name, id]))),
    body: route.body ? edgy(route.body) : fc.constant(undefined),
    query: fc
      .subarray(queried, { maxLength: Math.min(1, queried.length) })
      .chain(([name]) => (name === undefined ? fc.constant({}) : fc.record({ [name]: edgyPart }))),
    headers,
  });
}

async function attack(route: NamedRoute, runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(requestsTo(route), async (request) => {
      const body = await withRecords(route, request.body);
      const { status, body: told } = await (await clientFor(route)).send(route.method, route.path, {
        ...request,
        body,
      });
      // 404: the gateway knows no such path, as where an id is empty
      expect([200, 400, 401, 404], JSON.stringify({ told, request })).toContain(status);
    }),
    { numRuns: runs },
  );
}

/** Machines speak first, while they are linked; then everybody writes, reads what was written, and removes it at the end. */
const RANKS = { POST: 1, PUT: 1, PATCH: 1, GET: 2, DELETE: 3 };
const rank = ({ method, access }: NamedRoute): number =>
  typeof access === 'object' && 'machines' in access ? 0 : RANKS[method];

describe('no input is an internal error for', () => {
  test.each(routes.toSorted((a, b) => rank(a) - rank(b)))('$method $path', (route) => attack(route, 6));
});
