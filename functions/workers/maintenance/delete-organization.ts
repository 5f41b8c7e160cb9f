import * as z from 'zod';
import { billingFacts, customerLinks } from '#shared/billing/facts.ts';
import { organizations } from '#shared/credentials/organization.ts';
import { forgetMember } from '#shared/people/forget.ts';
import { type User, users } from '#shared/people/user.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { longId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { GLOBAL_SCOPE, type Row } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { isOwned, kindOf, names } from '#shared/platform/table/upkeep/owned.ts';
import { type EngagementPart, engagementParts } from '#shared/scanning/engagements/engagement-part.ts';
import { poolRows, poolWrite } from '#shared/scanning/scanner-tasks/pools.ts';
import { publicScannerGroups } from '#shared/scanning/scanners/public-scanner-group.ts';
import { Removal, type RemovalRules, removeAll } from './remove-all.ts';
import { continueAtTime, continueLater, removalProgress, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid() });
const Checkpoint = Removal.extend({ slice: z.int().default(0) });

/**
 * Removes an organization: every row and object that belongs to it or names it. The task belongs to the requesting
 * organization, so it outlives the removed one.
 */
export async function deleteOrganization(work: Work): Promise<Record<string, unknown> | undefined> {
  const { connections, task, table } = work;
  const { organizationId } = Input.parse(task.input);
  const { slice, ...from } = Checkpoint.parse(task.checkpoint ?? {});
  if (from.pass === 1 && from.part === 'rows') {
    await forgetCustomers(connections.dynamo, organizationId);
    await forgetInPools(connections.dynamo, organizationId);
  }
  const { at, isDone, quietAt } = await removeAll(work, rulesOf(work, organizationId), { from, isOver: sliceEnd() });
  const progress = removalProgress(at);
  const checkpoint = { ...at, slice: slice + 1 };
  if (quietAt) return continueAtTime(work, { checkpoint, progress }, { at: quietAt, group: organizationId });
  if (!isDone) return continueLater(work, { checkpoint, progress });
  await table.rows(taskRows).set({ id: task.id }, { progress, updatedAt: now() });
  const { rows, objects, pass: passes, mentions } = at;
  return { rows, objects, passes, mentions };
}

function rulesOf({ connections: { dynamo }, task }: Work, organizationId: string): RemovalRules {
  return {
    async treat(row: Row) {
      if (isOwned(organizationId, row)) {
        await forgetUser(dynamo, organizationId, row);
        return 'remove';
      }
      if (row.id === task.id) return 'leave';
      if (await forgetPart(dynamo, organizationId, row)) return 'found';
      return names(organizationId, row) ? 'mention' : 'leave';
    },
    isTheirs: (key) => key.split('/').includes(organizationId),
    beforePass: () => forgetOrganization(dynamo, organizationId),
  };
}

/** Removes the facts of the payment processor about the organization's customers: these rows name only the customer. */
async function forgetCustomers(dynamo: Dynamo, organizationId: string): Promise<void> {
  const customers = await openTable(dynamo, organizationId).rows(customerLinks).query('all', { consistent: true });
  const facts = openTable(dynamo, GLOBAL_SCOPE).rows(billingFacts);
  for (const { customer } of customers)
    for (const { kind, id } of await facts.query(customer, { consistent: true }))
      await facts.remove({ customer, kind, id });
}

/** Removes the organization from the lists of organizations that may use pools of providers. */
async function forgetInPools(dynamo: Dynamo, organizationId: string): Promise<void> {
  const pools = await openTable(dynamo, GLOBAL_SCOPE).rows(poolRows).query('all', { consistent: true });
  for (const { poolId, providerId } of pools.filter((pool) => pool.organizationIds.includes(organizationId))) {
    const provider = openTable(dynamo, providerId);
    await retry(async () => {
      const group = await provider.get(publicScannerGroups, poolId, true);
      const organizationIds = group.organizationIds.filter((id) => id !== organizationId);
      await provider.update(publicScannerGroups, group, { organizationIds }, (batch, next) =>
        batch.write(poolWrite(provider, next)),
      );
    });
  }
}

/** The part that a person of the provider has in an engagement of the organization. @returns whether the row was one */
async function forgetPart(dynamo: Dynamo, organizationId: string, row: Row): Promise<boolean> {
  if (kindOf(row) !== engagementParts.name || !('_c' in row)) return false;
  const part = listItemOf<EngagementPart, never>(row);
  if (part.organizationId !== organizationId) return false;
  const [scope = ''] = row.pk.split('#');
  await openTable(dynamo, longId(scope)).delete(engagementParts, part);
  return true;
}

/** People are known beyond the organization. */
async function forgetUser(dynamo: Dynamo, organizationId: string, row: Row): Promise<void> {
  if (kindOf(row) === users.name && '_c' in row)
    await forgetMember(dynamo, organizationId, listItemOf<User, never>(row));
}

/** The record by which staff find the organization. */
async function forgetOrganization(dynamo: Dynamo, organizationId: string): Promise<void> {
  const all = openTable(dynamo, GLOBAL_SCOPE);
  const current = await all.find(organizations, organizationId, true);
  if (current) await all.delete(organizations, current);
}
