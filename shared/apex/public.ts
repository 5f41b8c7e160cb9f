import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { shortId } from '#shared/platform/runtime/ids.ts';
import type { Counts } from '#shared/platform/table/counters.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { openPools, poolQueue, turnWrites } from '#shared/scanning/scanner-tasks/pools.ts';
import {
  clearHint,
  hintOf,
  type PendingRow,
  pendingRows,
  raiseHint,
  type WorkHint,
} from '#shared/scanning/scanner-tasks/queue.ts';
import { countRunning, leftOf, readUsage } from '#shared/scanning/scanner-tasks/usage.ts';
import { apexAppliances, PUBLIC_FIT } from './apex-appliance.ts';
import { APEX_TASK_TYPES, type ApexTaskListItem } from './apex-task.ts';

/** Tasks of one organization that public appliances work on at the same time. */
const MAX_PUBLIC_TASKS = 50;

/** An organization that has or had public appliances. Its appliances learn of work from its own work hint. */
type Provider = { providerId: string; since: string };

export const apexProviders = defineRow<Provider, Pick<Provider, 'providerId'>>({
  name: 'apex-provider',
  about: 'an organization that has or had public appliances; global key scope',
  key: ({ providerId }) => ['all', providerId],
});

/** The lane of public appliances for one type of task. */
export const publicLane = (type: string): string => `public-apex|${type}`;

/** The queue of one organization in a lane of public appliances, in the key scope of all organizations. */
export const publicQueue = (scope: string, type: string): string => poolQueue(publicLane(type), scope);

/**
 * Makes an organization a provider: its work hint announces public tasks, also those that wait already. Harmless to
 * repeat.
 */
export async function becomeProvider({ dynamo, organizationId, tenant }: Table): Promise<void> {
  const shared = openPools(dynamo);
  if (await shared.rows(apexProviders).find({ providerId: organizationId }, true)) return;
  await shared.write(
    putWrite(GLOBAL_SCOPE, apexProviders, { row: { providerId: organizationId, since: now() } }),
    raiseHint(tenant, APEX_TASK_TYPES.map(publicLane)),
  );
}

/** The writes that queue tasks of an organization for all public appliances. */
export async function enqueuePublic(
  { dynamo, tenant }: Table,
  tasks: readonly ApexTaskListItem[],
  rows: readonly PendingRow[],
) {
  const lanes = tasks.map(({ type }) => publicLane(type));
  const known = await openPools(dynamo).rows(apexProviders).query('all', { consistent: true });
  return [
    ...rows.map((row) => putWrite(GLOBAL_SCOPE, pendingRows, { row })),
    ...turnWrites(tenant, lanes),
    ...known.map(({ providerId }) => raiseHint(shortId(providerId), lanes)),
  ];
}

/** For so long a task may still be queued by a writer that does not know a new provider. */
const UNKNOWN_MS = 60_000;

/** Removes the stamps of empty lanes, unless a task was added since the hint was read. */
export async function clearLanes(table: Table, lanes: readonly string[], hint: WorkHint | undefined): Promise<void> {
  if (lanes.length === 0) return;
  const provider = await openPools(table.dynamo).rows(apexProviders).find({ providerId: table.organizationId });
  if (!provider || nowMs() - Date.parse(provider.since) < UNKNOWN_MS) return;
  await Promise.all(lanes.map((lane) => clearHint(table, lane, hintOf(hint, lane))));
}

const USAGE = 'public-apex';

type Counted = Pick<ApexTaskListItem, 'usePublicApex'>;

/** Counts tasks that public appliances begin (+1) or cease (-1). The write fails with `TaskTaken` at the limit. */
export function publicUsage({ organizationId }: Table, tasks: readonly Counted[], by: 1 | -1): Write[] {
  const count = tasks.filter(({ usePublicApex }) => usePublicApex).length;
  if (count === 0) return [];
  const key = { scope: GLOBAL_SCOPE, groupId: USAGE, owner: organizationId };
  return [countRunning(key, by * count, MAX_PUBLIC_TASKS)];
}

/** How many more tasks of an organization public appliances may begin. */
export const publicRoom = async (table: Table, organizationId: string): Promise<number> =>
  leftOf(MAX_PUBLIC_TASKS, await readUsage(table, { groupId: USAGE, owner: organizationId }, true));

/** How many of its tasks public appliances work on now. */
export const publicUsageOf = (table: Table): Promise<number> =>
  readUsage(table, { groupId: USAGE, owner: table.organizationId }, true);

/** The counters of the public appliances of all providers, by type of task. */
export async function publicFit({ dynamo }: Table): Promise<Counts> {
  const known = await openPools(dynamo).rows(apexProviders).query('all');
  const fits = await Promise.all(
    known.map(({ providerId }) => openTable(dynamo, providerId).tally(apexAppliances, 'fit', PUBLIC_FIT)),
  );
  const sums: Counts = {};
  for (const [name, amount] of fits.flatMap((fit) => Object.entries(fit))) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}
