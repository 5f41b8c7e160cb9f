import { dirname } from 'node:path/posix';
import { beforeAll, describe, expect, test } from 'vitest';
import { enableCredential } from '#shared/auth/credential.ts';
import { MACHINE_KINDS, type MachineKind, ROLES, type Role, SCOPES, type Scope } from '#shared/auth/permissions.ts';
import { eachAtOnce } from '#shared/runtime/chunks.ts';
import { newId } from '#shared/runtime/ids.ts';
import { type Client, makeClient, type RawAnswer } from '#test/support/client.ts';
import { everyRecordOf } from '#test/support/every-record.ts';
import {
  collectionOf,
  exampleBody,
  exampleQuery,
  type NamedRoute,
  parametersAs,
  paramNames,
  routes,
} from '#test/support/every-route.ts';
import { spentCredentials } from '#test/support/spent-credentials.ts';
import { startSystem, type TestOrganization } from '#test/support/system.ts';

/** Who may call what: every operation by every kind of caller, by the access rules of the contract. */
const system = startSystem();
const AT_ONCE = 32;

/** The rule of an operation, for which this file has tables of its own: it asks nothing of the code that it judges. */
type Rule = Exclude<NamedRoute['access'], string>;

/** The roles that a role includes. */
const INCLUDED: Record<Role, readonly Role[]> = {
  viewer: ['viewer'],
  analyst: ['viewer', 'analyst'],
  admin: ['viewer', 'analyst', 'admin'],
  staff: ['staff'],
};

/** The parts of a rule; another part needs a meaning in the tables below. */
const PARTS = ['role', 'staff', 'scope', 'machines', 'enabled'];

/** A kind of caller. `may` is asked for rules other than `public` and `authenticated`. */
type Kind = { label: string; client: Client; may: (rule: Rule) => boolean };

const ofRole = (role: Role) => (rule: Rule) =>
  (rule.role !== undefined && INCLUDED[role].includes(rule.role)) || (role === 'staff' && rule.staff === true);
const ofKey =
  (scope: Scope) =>
  ({ scope: admits = [] }: Rule) =>
    [admits].flat().includes(scope);
const ofMachine =
  (machine: MachineKind, isDisabled = false) =>
  ({ machines = [], enabled = false }: Rule) =>
    machines.includes(machine) && !(enabled && isDisabled);

async function disabled({ machine, table }: TestOrganization, kind: MachineKind): Promise<Client> {
  const { id, client } = await machine(kind);
  const batch = table.batch();
  batch.write(enableCredential({ organizationId: table.organizationId, id }, false));
  await batch.commit();
  return client;
}

const kindsOf = (organization: TestOrganization): Promise<Kind[]> =>
  Promise.all([
    ...ROLES.map(async (role) => ({
      label: `the role ${role}`,
      client: await organization.withRole(role),
      may: ofRole(role),
    })),
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
    })),
  ]);

let kinds: Kind[] = [];
/** Callers whose credential opens nothing. */
let strangers: Pick<Kind, 'label' | 'client'>[] = [];
let theirs: ReadonlyMap<string, string>;

beforeAll(async () => {
  const [our, other] = await Promise.all([system.newOrganization(), system.newOrganization()]);
  const { revokedKey, revokedKeyToken, expiredKey, rewrittenToken } = await spentCredentials(system, our, other);
  const spent = { revokedKey, revokedKeyToken, expiredKey, rewrittenToken };
  strangers = [
    { label: 'nobody', client: system.client() },
    ...Object.entries(spent).map(([label, text]) => ({ label, client: makeClient(system.baseUrl, () => text) })),
  ];
  [kinds, theirs] = await Promise.all([kindsOf(our), everyRecordOf(system.connections, other)]);
});

type Outcome = 'admitted' | 'insufficient_scope' | 'unauthorized' | 'failed';

function outcomeOf({ status, body }: RawAnswer): Outcome {
  if (status === 401) return Object(body).code;
  return status < 500 ? 'admitted' : 'failed';
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

const closed = routes.filter(({ access }) => access !== 'public');

describe('who may call an operation', () => {
  test('each part of a rule is known to this test', () => {
    const parts = closed.flatMap(({ access }) => (typeof access === 'object' ? Object.keys(access) : []));
    expect([...new Set(parts)].filter((part) => !PARTS.includes(part))).toEqual([]);
  });

  test.each([...Map.groupBy(closed, ({ area }) => area)])('%s', async (_, ofArea) => {
    const judge = (client: Client, route: NamedRoute, expected: Outcome, label: string) => async () => {
      const outcome = outcomeOf(await probe(client, route));
      return outcome === expected ? undefined : `${route.name}: ${label} is ${outcome}, expected ${expected}`;
    };
    const cases = ofArea.flatMap((route) => [
      ...strangers.map(({ client, label }) => judge(client, route, 'unauthorized', label)),
      ...kinds.map(({ client, label, may }) => {
        const isAdmitted = route.access === 'authenticated' || may(route.access as Rule);
        return judge(client, route, isAdmitted ? 'admitted' : 'insufficient_scope', label);
      }),
    ]);
    expect(await deviations(cases, (one) => one())).toEqual([]);
  });
});

const admitted = ({ access }: NamedRoute): Kind[] =>
  kinds.filter(({ may }) => access === 'authenticated' || (access !== 'public' && may(access)));

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
