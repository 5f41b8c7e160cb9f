import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { areas } from '#functions/contract.ts';
import { exampleOf } from '#infra/openapi/example.ts';
import {
  type Access,
  type Caller,
  isAllowed,
  MACHINE_KINDS,
  type Role,
  SCOPES,
  type Scope,
} from '#shared/platform/auth/permissions.ts';
import { type Route, useOf } from '#shared/platform/http/route.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import type { Client } from './client.ts';
import type { TestOrganization } from './system.ts';

export type NamedRoute = Route & { name: string; area: string };

/** Every operation, also those that follow another standard. */
export const everyOperation: NamedRoute[] = areas.flatMap(({ name: area, routes: declared }) =>
  Object.entries(declared).map(([name, route]) => ({ ...route, name, area })),
);

/**
 * The operations with the manners of the interface. SCIM has statuses, errors, a media type and a tolerance of its own
 * (RFC 7644); test/http/scim.test.ts holds its operations to these.
 */
export const routes: NamedRoute[] = everyOperation.filter(({ dialect }) => dialect === undefined);

/** A caller of each sort, with what the access check knows of it. */
export type TestCaller = { label: string; client: Client; caller: Caller };

const scopes = Object.keys(SCOPES) as Scope[];

/** The scopes that admit a key to a route; each set of them once. */
const admitting = (access: Access): Scope[] =>
  typeof access === 'object' ? scopes.filter((scope) => [access.scope].flat().includes(scope)) : [];
const sets = new Map(routes.map(({ access }) => [admitting(access).join(), admitting(access)]));

export async function callersOf(organization: TestOrganization): Promise<TestCaller[]> {
  const { organizationId } = organization;
  const who = { id: 'test', name: 'test', organizationId };
  const role = (name: Role) => ({ ...who, kind: 'service_account', role: name }) as const;
  const key = async (label: string, granted: Scope[]): Promise<TestCaller> => ({
    label,
    client: await organization.apiKey(granted),
    caller: { ...who, kind: 'api_key', scopes: granted },
  });
  const machines = MACHINE_KINDS.map(async (machine): Promise<TestCaller> => {
    const { client } = await organization.machine(machine);
    return { label: machine, client, caller: { ...who, kind: 'machine', machine } };
  });
  return [
    { label: 'an administrator', client: organization.admin, caller: role('admin') },
    await key('a key with every scope', scopes),
    ...(await Promise.all(machines)),
    {
      label: 'a person',
      client: await organization.person(),
      caller: { ...who, kind: 'user', role: 'analyst', session: 'test' },
    },
    { label: 'an owner', client: await organization.withRole('owner'), caller: role('owner') },
    { label: 'an auditor', client: await organization.withRole('auditor'), caller: role('auditor') },
    { label: 'a viewer', client: await organization.withRole('viewer'), caller: role('viewer') },
    { label: 'an analyst', client: await organization.withRole('analyst'), caller: role('analyst') },
    { label: 'a pentester', client: await organization.withRole('pentester'), caller: role('pentester') },
    { label: 'a manager', client: await organization.withRole('manager'), caller: role('manager') },
    {
      label: 'a platform owner',
      client: await organization.withRole('platform_owner'),
      caller: role('platform_owner'),
    },
    ...(await Promise.all(
      [...sets.values()]
        .filter(({ length }) => length > 0)
        .map((set) =>
          key(
            `a key for all but ${set.join(' and ')}`,
            scopes.filter((scope) => !set.includes(scope)),
          ),
        ),
    )),
  ];
}

export const allowed = (callers: TestCaller[], route: NamedRoute): TestCaller | undefined =>
  callers.find(({ caller }) => isAllowed(caller, route.access, useOf(route)));

/** Those without the right; of the keys only the one with the most scopes, because one that is too many would admit it. */
export function refused(callers: TestCaller[], route: NamedRoute): TestCaller[] {
  const without = callers.filter(({ caller }) => !isAllowed(caller, route.access, useOf(route)));
  const keys = without.toSorted((a, b) => scopesOf(b) - scopesOf(a)).slice(0, 1);
  return [...without.filter((one) => scopesOf(one) === 0), ...keys.filter((one) => scopesOf(one) > 0)];
}
const scopesOf = ({ caller }: TestCaller): number => (caller.kind === 'api_key' ? caller.scopes.length : 0);

export const paramNames = ({ path }: Route): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

export const parametersAs = (route: Route, id: string): Record<string, string> =>
  Object.fromEntries(paramNames(route).map((name) => [name, id]));

/** The collection of the record that the path names; `agents/resources/{id}` names a record of `agents`. */
export const collectionOf = ({ path }: Route): string =>
  /\{(taskId|requestID)\}/.test(path)
    ? '/api/v1/tasks'
    : path.slice(0, path.indexOf('/{')).replace('/apex/engagements', '/validation-operations/engagements');

export const exampleBody = ({ body }: Route): unknown => (body ? exampleOf(body) : undefined);

/** The query parameters that a route requires. */
export const exampleQuery = ({ query }: Route): Record<string, string> => ({
  ...(query && 'search' in query.shape && { search: 'example' }),
  ...(query && 'token' in query.shape && { token: 'example' }),
  ...(query && 'field' in query.shape && { field: 'tool' }),
  ...(query && 'buildId' in query.shape && { buildId: '7' }),
  ...(query && 'provider' in query.shape && { provider: 'codehost_a' }),
  ...(query && 'repository' in query.shape && { repository: 'example/shop', ref: 'example' }),
});

/** For each field of a body, the whole body with a value in it that cannot be right. */
export function wrongBodies({ body }: Route): { field: string; body: object }[] {
  if (!(body instanceof z.ZodObject)) return [];
  const example = Object(exampleOf(body));
  return Object.keys(body.shape).flatMap((field) => {
    const values = [12_345.5, [['x']], { nonsense: { x: 1 } }, '\u0000'];
    const wrong = values.map((value) => ({ ...example, [field]: value })).find((all) => isWrongAt(body, all, field));
    return wrong ? [{ field, body: wrong }] : [];
  });
}

const isWrongAt = (schema: z.ZodType, value: object, field: string): boolean => {
  const { error } = schema.safeParse(value);
  return error?.issues.some(({ path }) => path[0] === field) ?? false;
};

type Row = Record<string, unknown>;

/**
 * One number for everything that the table holds; only for the small table of a system of one's own.
 * Changes, views and attempts at messages do not count: queues write them at their own time. `as` leaves out (undefined) or shortens others.
 */
export async function digest({ client, tableName }: Dynamo, as = (row: Row): Row | undefined => row): Promise<string> {
  const rows: string[] = [];
  let from: Row | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: tableName, ExclusiveStartKey: from, ConsistentRead: true }),
    );
    const current = (page.Items ?? []).filter(({ pk, sk }) => !/#change-|#views#|#attempt#/.test(`${pk}${sk}`));
    rows.push(...current.flatMap((row) => JSON.stringify(as(row), inOneForm) ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return createHash('sha256').update(rows.toSorted().join('\n')).digest('hex');
}

/** An engine gives the attributes of a row in any order. */
function inOneForm(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Set) return [...value].toSorted();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
