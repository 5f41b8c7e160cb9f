import { openPools, poolQueue, turnWrites } from '../dispatch/pools.ts';
import { clearHint, hintOf, type PendingRow, pendingRows, raiseHint, type WorkHint } from '../dispatch/queue.ts';
import { countRunning, leftOf, readUsage } from '../dispatch/usage.ts';
import { apexAppliances, PUBLIC_FIT } from '../entities/apex-appliance.ts';
import { APEX_TASK_TYPES, type ApexTaskListItem } from '../entities/apex-task.ts';
import { now, nowMs } from '../runtime/clock.ts';
import { shortId } from '../runtime/ids.ts';
import type { Counts } from '../table/counters.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite } from '../table/io/row.ts';
import { GLOBAL_SCOPE } from '../table/layout/keys.ts';
import { openTable, type Table } from '../table/table.ts';

/** Tasks of one organization that public appliances work on at the same time, whatever it queues. */
const MAX_PUBLIC_TASKS = 50;

/** An organization that has, or had, public appliances: they learn of work from its own work hint. */
type Provider = { providerId: string; since: string };

export const apexProviders = defineRow<Provider, Pick<Provider, 'providerId'>>({
  name: 'apex-provider',
  about: 'an organization that has or had public appliances; global scope',
  key: ({ providerId }) => ['all', providerId],
});

/** What waits for public appliances, by type of task. */
export const publicLane = (type: string): string => `public-apex|${type}`;

/** Where tasks of an organization wait for public appliances, in the scope of all organizations. */
export const publicQueue = (scope: string, type: string): string => poolQueue(publicLane(type), scope);

/**
 * Makes the organization one whose appliances hear of tasks for public ones. Some may wait already.
 * Repeating it changes nothing.
 */
export async function becomeProvider({ dynamo, organizationId, scope }: Table): Promise<void> {
  const shared = openPools(dynamo);
  if (await shared.rows(apexProviders).find({ providerId: organizationId }, true)) return;
  const batch = shared.batch();
  batch.write(putWrite(GLOBAL_SCOPE, apexProviders, { row: { providerId: organizationId, since: now() } }));
  batch.write(raiseHint(scope, APEX_TASK_TYPES.map(publicLane)));
  await batch.commit();
}

/** The writes that put tasks of an organization into the queues of all public appliances. */
export async function enqueuePublic(
  { dynamo, scope }: Table,
  tasks: readonly ApexTaskListItem[],
  rows: readonly PendingRow[],
) {
  const lanes = tasks.map(({ type }) => publicLane(type));
  const known = await openPools(dynamo).rows(apexProviders).query('all', { consistent: true });
  return [
    ...rows.map((row) => putWrite(GLOBAL_SCOPE, pendingRows, { row })),
    ...turnWrites(scope, lanes),
    ...known.map(({ providerId }) => raiseHint(shortId(providerId), lanes)),
  ];
}

/** Whoever queued something just before an organization became a provider did not know it yet. */
const UNKNOWN_MS = 60_000;

/** Nobody waits in these lanes any more, unless something was added since the hint was read. */
export async function clearLanes(table: Table, lanes: readonly string[], hint: WorkHint | undefined): Promise<void> {
  if (lanes.length === 0) return;
  const provider = await openPools(table.dynamo).rows(apexProviders).find({ providerId: table.organizationId });
  if (!provider || nowMs() - Date.parse(provider.since) < UNKNOWN_MS) return;
  await Promise.all(lanes.map((lane) => clearHint(table, lane, hintOf(hint, lane))));
}

const USAGE = 'public-apex';

type Counted = Pick<ApexTaskListItem, 'usePublicApex'>;

/** Counts tasks of an organization that public appliances begin (+1) or cease (-1) to work on; fails with `TaskTaken` at its limit. */
export function publicUsage({ organizationId }: Table, tasks: readonly Counted[], by: 1 | -1): Write[] {
  const count = tasks.filter(({ usePublicApex }) => usePublicApex).length;
  if (count === 0) return [];
  const key = { scope: GLOBAL_SCOPE, groupId: USAGE, owner: organizationId };
  return [countRunning(key, by * count, MAX_PUBLIC_TASKS)];
}

/** How many more tasks of an organization public appliances may begin now. */
export const publicRoom = async (table: Table, organizationId: string): Promise<number> =>
  leftOf(MAX_PUBLIC_TASKS, await readUsage(table, { groupId: USAGE, owner: organizationId }, true));

/** Who could do what, of the public appliances of all providers. */
export async function publicFit({ dynamo }: Table): Promise<Counts> {
  const known = await openPools(dynamo).rows(apexProviders).query('all');
  const fits = await Promise.all(
    known.map(({ providerId }) => openTable(dynamo, providerId).tally(apexAppliances, 'fit', PUBLIC_FIT)),
  );
  const sums: Counts = {};
  for (const [name, amount] of fits.flatMap((fit) => Object.entries(fit))) sums[name] = (sums[name] ?? 0) + amount;
  return sums;
}
