import type { MachineKind } from '#shared/platform/auth/permissions.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Client } from '../support/client.ts';
import { allowed, callersOf, routes, type TestCaller } from '../support/every-route.ts';
import { giveTask } from '../support/held-task.ts';
import { recordsOf } from '../support/records.ts';
import type { TestMachine, TestOrganization, TestSystem } from '../support/system.ts';
import type { Operation } from './document.ts';
import { type Dice, oneOf } from './values.ts';

/** An organization with a record in each collection and a caller of each sort. */
export type World = {
  system: TestSystem;
  organization: TestOrganization;
  callers: TestCaller[];
  appliance: TestMachine;
  /** Ids by the path of their collection; those that answers told come to those that were made at the beginning. */
  ids: Map<string, string[]>;
  engagementId: string;
};

export async function makeWorld(system: TestSystem): Promise<World> {
  const organization = await system.newOrganization();
  const appliance = await organization.machine('apex');
  const callers = await callersOf(organization);
  const { engagementId = '', ...records } = Object.fromEntries(await recordsOf(callers));
  const ids = new Map(Object.entries(records).map(([path, id]) => [path, [id]]));
  return { system, organization, callers, appliance, ids, engagementId };
}

const routeOf = new Map(routes.map((route) => [route.name, route]));

export async function clientFor(world: World, dice: Dice, { name, path }: Operation): Promise<Client> {
  const { organization, callers, appliance, system } = world;
  if (dice() < 0.05) return oneOf(dice, callers).client;
  if (dice() < 0.02) return system.client();
  // a new secret may end the one before at once: another machine for each
  if (path.endsWith('/machine/secret')) return (await organization.machine('agent')).client;
  if (path.includes('/apex_communication/')) return appliance.client;
  const route = routeOf.get(name);
  return !route || route.access === 'public' ? system.client() : (allowed(callers, route)?.client ?? system.client());
}

/** The ids of the path's collection, or of the collection above it. */
export function idsFor({ ids }: World, path: string): readonly string[] {
  const collections = [...ids.keys()].filter((collection) => path.startsWith(`${collection}/`));
  const [nearest = ''] = collections.toSorted((a, b) => b.length - a.length);
  return ids.get(nearest) ?? ids.get('/api/v1/tasks') ?? [];
}

/** So many ids of a collection are remembered. */
const REMEMBERED = 20;

/** Remembers the records that an answer says it made, so that later requests name them. Lists name the credentials in use, too. */
export function learn({ ids }: World, { method, path }: Operation, body: unknown): void {
  const { id, taskId } = Object(body);
  for (const [collection, made] of [
    [path, id],
    ['/api/v1/tasks', taskId],
  ])
    if (method === 'POST' && typeof made === 'string' && !path.endsWith('}'))
      ids.set(collection, [...(ids.get(collection) ?? []), made].slice(-REMEMBERED));
}

const KINDS: Record<string, MachineKind> = {
  scanner: 'scanner',
  apex: 'apex',
  collector: 'collector',
  integrator: 'integrator',
};

const heldTask = async ({ organization, appliance }: World): Promise<string> =>
  (await retry(() => giveTask(organization.table, appliance.id))).id;

/** The body with the values that no schema can name: tasks that the caller holds, link tokens that work, new names. */
export async function withKnown(world: World, { path, name }: Operation, body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const kind = KINDS[Object.keys(KINDS).find((one) => path.includes(`/${one}_communication/`)) ?? ''] ?? 'agent';
  return {
    ...body,
    ...('engagementId' in body && { engagementId: world.engagementId }),
    ...('taskId' in body && { taskId: await heldTask(world) }),
    ...(path.endsWith('/link') && {
      name: 'example',
      instanceId: crypto.randomUUID(),
      ...body,
      linkToken: await world.organization.linkToken(kind),
    }),
    ...(path.endsWith('/new_tasks') && { capacity: 0, ...body }),
    ...(name === 'completeApexTasks' && { results: await heldResults(world, Reflect.get(body, 'results')) }),
    ...(Reflect.get(body, 'name') === 'example' && { name: crypto.randomUUID() }),
  };
}

/** The results as they are, for tasks that the appliance holds. */
async function heldResults(world: World, results: unknown): Promise<unknown> {
  if (!Array.isArray(results)) return results;
  const named: unknown[] = [];
  for (const one of results.slice(0, 5) as unknown[])
    named.push(Object(one) === one ? { ...Object(one), taskId: await heldTask(world) } : one);
  return named;
}
