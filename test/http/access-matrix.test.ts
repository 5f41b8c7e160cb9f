import { dirname } from 'node:path/posix';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MACHINE_KINDS, ROLES, SCOPES, type Scope } from '#shared/platform/auth/permissions.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type Asked, byGrant, ofKey, ofMachine, ofPerson, ofRole, PARTS, type Rule } from '../support/access-rules.ts';
import { bodiesNaming } from '../support/bodies-naming.ts';
import { type Client, makeClient, type RawAnswer } from '../support/client.ts';
import { everyRecordOf } from '../support/every-record.ts';
import {
  collectionOf,
  everyOperation,
  exampleBody,
  exampleQuery,
  type NamedRoute,
  parametersAs,
  paramNames,
  routes,
} from '../support/every-route.ts';
import { disabled } from '../support/linking.ts';
import { asOthersName } from '../support/records.ts';
import { spentCredentials } from '../support/spent-credentials.ts';
import { enterByGrant } from '../support/support-grants.ts';
import { startSystem, type TestOrganization } from '../support/system.ts';
import { oneOfEach } from '../support/tier.ts';
import { follow } from '../support/vulnerabilities.ts';

/**
 * Who may call what: every operation by every kind of caller, by the access rules of the contract. `npm test` asks one operation of each
 * rule for every kind, and every other operation for one kind that it admits, one that it refuses and one stranger, in turns.
 */
const system = startSystem();
const AT_ONCE = 32;

/** A kind of caller. `may` is asked for rules other than `public` and `authenticated`; `isOut`: the latter does not admit it. */
type Kind = { label: string; client: Client; may: (rule: Rule, asked: Asked) => boolean; isOut?: boolean };

const kindsOf = async (organization: TestOrganization, staff: Client): Promise<Kind[]> =>
  Promise.all([
    enterByGrant(system, staff, organization).then((client) => ({ label: 'staff by a grant', client, may: byGrant })),
    ...ROLES.map(async (role) => ({
      label: `the role ${role}`,
      client: await organization.withRole(role),
      may: ofRole(role),
    })),
    { label: 'a person', client: await organization.person('viewer'), may: ofPerson },
    ...(Object.keys(SCOPES) as Scope[]).map(async (scope) => ({
      label: `a key for ${scope}`,
      client: await organization.apiKey([scope]),
      may: ofKey(scope),
    })),
    ...MACHINE_KINDS.map(async (machine) => ({
      label: `the machine ${machine}`,
      client: (await organization.machine(machine)).client,
      may: ofMachine(machine),
    })),
    ...MACHINE_KINDS.map(async (machine) => ({
      label: `a disabled ${machine}`,
      client: await disabled(organization, machine),
      may: ofMachine(machine, true),
      isOut: true,
    })),
  ]);

let kinds: Kind[] = [];
/** Callers whose credential opens nothing. */
let strangers: Pick<Kind, 'label' | 'client'>[] = [];
let ours: ReadonlyMap<string, string>;
let theirs: ReadonlyMap<string, string>;
let their: TestOrganization;

beforeAll(async () => {
  const [our, other, provider] = await Promise.all([1, 2, 3].map(() => system.newOrganization()));
  if (!our || !other || !provider) throw new Error('three organizations are made');
  // an answer that refuses too many requests would pass for one that admits
  const staff = await provider.withRole('platform_owner');
  const body = { requestsPerSecond: 100_000 };
  for (const { organizationId: id } of [our, other])
    await staff.ok('updateOrganizationLimits', { params: { id }, body });
  their = other;
  const spent = { ...(await spentCredentials(system, our, other)), freshLink: await our.linkToken('scanner') };
  strangers = [
    { label: 'nobody', client: system.client() },
    ...Object.entries(spent).map(([label, text]) => ({ label, client: makeClient(system.baseUrl, () => text) })),
  ];
  [kinds, ours, theirs] = await Promise.all([
    kindsOf(our, staff),
    everyRecordOf(system.connections, our),
    everyRecordOf(system.connections, other).then(asOthersName),
  ]);
});

type Outcome = 'admitted' | 'insufficient_scope' | 'unauthorized' | 'failed';

function outcomeOf({ status, body }: RawAnswer, { dialect }: NamedRoute): Outcome {
  // an error of SCIM has no code; RFC 7644 has a status for each of the two
  if (dialect && (status === 401 || status === 403)) return status === 401 ? 'unauthorized' : 'insufficient_scope';
  if (status === 401) return Object(body).code;
  return status < 500 && Object(body).code !== 'limit_exceeded' ? 'admitted' : 'failed';
}

/** A request that shows whether the caller is admitted, and that no handler works: its query or its body is refused behind the check. */
const probe = (client: Client, route: NamedRoute): Promise<RawAnswer> =>
  client.send(route.method, route.path, {
    params: parametersAs(route, newId()),
    ...(route.lenient ? route.body && { body: '{' } : { query: { surprise: 1 } }),
  });

/** The answers that differ from the expected ones, as sentences. */
async function deviations<T>(cases: readonly T[], judge: (one: T) => Promise<string | undefined>): Promise<string[]> {
  const found = await eachAtOnce(cases, AT_ONCE, judge);
  return found.filter((one) => one !== undefined);
}

function isAdmitted({ may, isOut = false }: Kind, route: NamedRoute): boolean {
  const { access } = route;
  if (access === 'authenticated') return !isOut;
  return access === 'public' || may(access, route);
}

const closed = routes.filter(({ access }) => access !== 'public');
const asked = everyOperation.filter(({ access }) => access !== 'public');
/** These are asked for every kind of caller. */
const askedForAll = new Set(
  oneOfEach(asked, ({ access, method, readOnly }) => JSON.stringify([access, method === 'GET' || readOnly])),
);

/** Another one for each operation. */
const inTurn = <T>(all: readonly T[], route: NamedRoute): T[] => {
  const at = asked.indexOf(route) % Math.max(all.length, 1);
  return all.slice(at, at + 1);
};

/** Each kind that an operation admits, or one of them. */
function admitted(route: NamedRoute): Kind[] {
  const all = kinds.filter((kind) => isAdmitted(kind, route));
  return askedForAll.has(route) ? all : inTurn(all, route);
}

/** Each kind that an operation refuses, or one of them. */
function refused(route: NamedRoute): Kind[] {
  const all = kinds.filter((kind) => !isAdmitted(kind, route));
  return askedForAll.has(route) ? all : inTurn(all, route);
}

describe('who may call an operation', () => {
  test('each part of a rule is known to this test', () => {
    const parts = asked.flatMap(({ access }) => (typeof access === 'object' ? Object.keys(access) : []));
    expect([...new Set(parts)].filter((part) => !PARTS.includes(part))).toEqual([]);
  });

  test.each([...Map.groupBy(asked, ({ area }) => area)])('%s', async (_, ofArea) => {
    const judge = (client: Client, route: NamedRoute, expected: Outcome, label: string) => async () => {
      const outcome = outcomeOf(await probe(client, route), route);
      return outcome === expected ? undefined : `${route.name}: ${label} is ${outcome}, expected ${expected}`;
    };
    const cases = ofArea.flatMap((route) => [
      ...(askedForAll.has(route) ? strangers : inTurn(strangers, route)).map(({ client, label }) =>
        judge(client, route, 'unauthorized', label),
      ),
      ...admitted(route).map(({ client, label }) => judge(client, route, 'admitted', label)),
      ...refused(route).map(({ client, label }) => judge(client, route, 'insufficient_scope', label)),
    ]);
    expect(await deviations(cases, (one) => one())).toEqual([]);
  });
});

test("no caller reaches another organization's record by its id in the path", async () => {
  const cases = closed
    .filter((route) => paramNames(route).length > 0)
    .flatMap((route) => admitted(route).map((kind) => ({ route, kind })));
  const judge = async ({ route, kind }: (typeof cases)[number]) => {
    const collection = collectionOf(route);
    const id = theirs.get(collection) ?? theirs.get(dirname(collection));
    if (!id) return `${route.name}: no record in ${collection}`;
    const body = route.method === 'PATCH' ? {} : exampleBody(route);
    const request = { params: parametersAs(route, id), query: exampleQuery(route), body };
    const { status, body: answer } = await kind.client.send(route.method, route.path, request);
    const isMissing = status === 400 && Object(answer).code === 'not_found';
    return isMissing ? undefined : `${route.name} by ${kind.label}: ${status} ${JSON.stringify(answer)}`;
  };
  expect(await deviations(cases, judge)).toEqual([]);
});

/** The collection of the record that a field names, in a query or a body; null: the id is of no record. */
const COLLECTIONS: Record<string, string | null> = {
  addRemediationId: '/api/v1/remediations',
  alertIds: '/api/v1/soc/alerts',
  applianceId: '/api/v1/validation-operations/apex',
  applianceIds: '/api/v1/validation-operations/apex',
  applicationId: '/api/v1/software/applications',
  applicationIds: '/api/v1/software/applications',
  assetId: '/api/v1/assets',
  assetIds: '/api/v1/assets',
  basedOn: '/api/v1/roles',
  // an entry of a timeline
  before: null,
  campaignId: '/api/v1/validation-operations/apex/campaigns',
  alertId: '/api/v1/soc/alerts',
  collectorId: '/api/v1/collectors',
  connectionId: '/api/v1/ticketing/connections',
  // a copy of an organization, for the owner of the platform
  copyId: null,
  credentialIds: '/api/v1/credentials',
  dependsOn: '/api/v1/validation-operations/apex/tasks',
  endpointId: '/api/v1/webhook-endpoints',
  endpointIds: '/api/v1/webhook-endpoints',
  // of a delivery: an endpoint
  targetId: '/api/v1/webhook-endpoints',
  engagementId: '/api/v1/validation-operations/engagements',
  env_id: '/api/v1/software/applications/{id}/environments',
  environmentId: '/api/v1/software/applications',
  exclusion_id: '/api/v1/software/applications/{id}/asset-exclusions',
  filterId: '/api/v1/saved-filters',
  findingIds: '/api/v1/findings',
  // of the organization in the path, for the caller
  grantId: null,
  group: '/api/v1/validation-operations/scanner-groups',
  groupIds: '/api/v1/validation-operations/scanner-groups',
  // a subject of a ticket
  id: '/api/v1/findings',
  // of the path's own collection
  ids: null,
  incidentId: '/api/v1/soc/incidents',
  // chosen by a process of a machine
  instanceId: null,
  integratorId: '/api/v1/integrators',
  intoId: '/api/v1/assets',
  // a link of the application in the path
  mappingIds: null,
  // a pool names the organizations that it serves
  organizationIds: null,
  publicGroupIds: '/api/v1/validation-operations/public-scanner-groups',
  // pools of the provider are there for every organization
  publicScannerGroupId: null,
  remediationId: '/api/v1/remediations',
  removeRemediationId: '/api/v1/remediations',
  role: '/api/v1/roles',
  roleId: '/api/v1/roles',
  unmatchedRoleId: '/api/v1/roles',
  ruleId: '/api/v1/ticketing/rules',
  // no record: a run of a campaign
  runId: null,
  rule_id: '/api/v1/software/applications/{id}/asset-rules',
  scheduleId: '/api/v1/report-schedules',
  scannerGroupId: '/api/v1/validation-operations/scanner-groups',
  scannerIds: '/api/v1/validation-operations/scanners',
  sourceId: '/api/v1/siem/sources',
  // the provider's staff are there for every organization
  staffId: null,
  subjectId: '/api/v1/findings',
  suppressedBy: '/api/v1/findings/rules',
  taskId: '/api/v1/tasks',
  teamId: '/api/v1/teams',
  teamIds: '/api/v1/teams',
  templateId: '/api/v1/organizations/all/templates',
  // a file that no operation lists
  uploadId: null,
  userIds: '/api/v1/users',
};

/** Fields that no record is looked up for: groups of machines that a client keeps in systems of its own, and a preview that only counts. */
const UNCHECKED = [
  'updateAgent.groupIds',
  'updateAppliance.groupIds',
  'updateCollector.groupIds',
  'updatePublicAppliance.groupIds',
  'previewTicketRule.connectionId',
];

type JsonSchema = { format?: string; items?: JsonSchema; anyOf?: JsonSchema[]; $ref?: string };
type Named = { route: NamedRoute; field: string; isList: boolean };

/** The fields of a query or a body that take the id of a record, by themselves or in a list. */
function idFields(route: NamedRoute, of: 'query' | 'body'): Named[] {
  const schema = route[of];
  if (!schema) return [];
  const { properties = {}, $defs = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, JsonSchema>;
    $defs?: Record<string, JsonSchema>;
  };
  const formsOf = (one: JsonSchema): JsonSchema[] =>
    one.anyOf?.flatMap(formsOf) ?? (one.$ref ? formsOf($defs[one.$ref.split('/').at(-1) ?? ''] ?? {}) : [one]);
  const isId = (one: JsonSchema) => formsOf(one).some(({ format }) => format === 'uuid');
  return Object.entries(properties).flatMap(([field, one]) => {
    const isList = formsOf(one).some(({ items }) => items && isId(items));
    return isList || isId(one) ? [{ route, field, isList }] : [];
  });
}

const fieldsIn = (of: 'query' | 'body') =>
  closed
    .flatMap((route) => idFields(route, of))
    .filter(({ route, field }) => COLLECTIONS[field] !== null && !UNCHECKED.includes(`${route.name}.${field}`));

test('each field that takes an id is known to this test', () => {
  const fields = closed.flatMap((route) => [...idFields(route, 'query'), ...idFields(route, 'body')]);
  expect(fields.length).toBeGreaterThan(80);
  const places = closed
    .flatMap((route) => bodiesNaming(route, (name) => name))
    .map(({ field }) => field.split('.').at(-1));
  const names = [...fields.map(({ field }) => field), ...places.map((name = '') => name.replaceAll('[]', ''))];
  expect(names.filter((name) => !Object.hasOwn(COLLECTIONS, name))).toEqual([]);
});

const recordOf = (records: ReadonlyMap<string, string>, collection = '') =>
  records.get(collection) ?? records.get(dirname(collection)) ?? '';

/** A request to a record of one's own that names another organization's record in one field. */
const naming = ({ client }: Kind, { route, field, isList }: Named, of: 'query' | 'body'): Promise<RawAnswer> => {
  const id = recordOf(theirs, COLLECTIONS[field] ?? '');
  const named = { [field]: isList ? [id] : id };
  return client.send(route.method, route.path, {
    params: parametersAs(route, recordOf(ours, collectionOf(route))),
    query: { ...exampleQuery(route), ...(of === 'query' && named) },
    ...(of === 'body' && { body: route.method === 'PATCH' ? named : { ...Object(exampleBody(route)), ...named } }),
  });
};

const byKinds = (fields: readonly Named[]) =>
  fields.flatMap((field) => admitted(field.route).map((kind) => ({ ...field, kind })));

test("no caller names another organization's record in a body", async () => {
  const judge = async (one: ReturnType<typeof byKinds>[number]) => {
    const { status, body } = await naming(one.kind, one, 'body');
    return status === 400 ? undefined : `${one.route.name}.${one.field} by ${one.kind.label}: ${JSON.stringify(body)}`;
  };
  expect(await deviations(byKinds(fieldsIn('body')), judge)).toEqual([]);
});

test("no caller sees or changes another organization's record that a body names, at any depth", async () => {
  const begun = new Date().toISOString();
  const idsOfTheirs = [...theirs.values(), their.organizationId].filter((id) => id !== '');
  const named =
    ({ path }: NamedRoute) =>
    (name: string) =>
      recordOf(theirs, name === 'ids' ? path : (COLLECTIONS[name] ?? ''));
  const cases = closed
    .filter(({ body }) => body)
    .flatMap((route) =>
      bodiesNaming(route, named(route)).map((one) => ({
        ...one,
        route,
        client: admitted(route)[0]?.client ?? their.admin,
      })),
    );
  expect(cases.length).toBeGreaterThan(80);
  const judge = async ({ route, field, body, client }: (typeof cases)[number]) => {
    const params = parametersAs(route, recordOf(ours, collectionOf(route)));
    const answer = await client.send(route.method, route.path, { params, query: exampleQuery(route), body });
    const [sent, shown] = [body, answer.body].map((one) => JSON.stringify(one) ?? '');
    const isHeld = answer.status < 500 && !idsOfTheirs.some((id) => !sent?.includes(id) && shown?.includes(id));
    return isHeld ? undefined : `${route.name} with ${field}: ${answer.status} ${shown}`;
  };
  expect(await deviations(cases, judge)).toEqual([]);
  await follow({ connections: system.connections, table: their.table });
  const { data } = await their.admin.ok('listAudit', { query: { limit: 100 } });
  expect(data.filter(({ actor, at }) => actor.kind !== 'system' && at > begun)).toEqual([]);
});

test("no caller finds anything by another organization's record in a query", async () => {
  const idsOfTheirs = [...theirs.values()].filter((id) => id !== '');
  const judge = async (one: ReturnType<typeof byKinds>[number]) => {
    const { status, body } = await naming(one.kind, one, 'query');
    const shown = JSON.stringify(Object(body).data ?? body);
    const isOfNobody = status === 200 && !idsOfTheirs.some((id) => shown.includes(id));
    // the catalogue of frameworks is everybody's
    const isEmpty = shown === '[]' || !shown.startsWith('[') || one.route.path.startsWith('/api/v1/compliance/');
    return status === 400 || (isOfNobody && isEmpty)
      ? undefined
      : `${one.route.name}.${one.field} by ${one.kind.label}: ${status} ${shown.slice(0, 200)}`;
  };
  expect(await deviations(byKinds(fieldsIn('query')), judge)).toEqual([]);
});
