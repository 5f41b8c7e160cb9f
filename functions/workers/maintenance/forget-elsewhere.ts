import { billingFacts, customerLinks } from '#shared/billing/facts.ts';
import { organizations } from '#shared/credentials/organization.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { longId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { GLOBAL_SCOPE, type Row } from '#shared/platform/table/layout/keys.ts';
import { listItemOf } from '#shared/platform/table/layout/record.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { kindOf } from '#shared/platform/table/upkeep/owned.ts';
import { type EngagementPart, engagementParts } from '#shared/scanning/engagements/engagement-part.ts';
import { poolRows, poolWrite } from '#shared/scanning/scanner-tasks/pools.ts';
import { publicScannerGroups } from '#shared/scanning/scanners/public-scanner-group.ts';

/** Removes the facts of the payment processor about the organization's customers: these rows name only the customer. */
export async function forgetCustomers(dynamo: Dynamo, organizationId: string): Promise<void> {
  const customers = await openTable(dynamo, organizationId).rows(customerLinks).query('all', { consistent: true });
  const facts = openTable(dynamo, GLOBAL_SCOPE).rows(billingFacts);
  for (const { customer } of customers)
    for (const { kind, id } of await facts.query(customer, { consistent: true }))
      await facts.remove({ customer, kind, id });
}

/** Removes the organization from the lists of organizations that may use pools of providers. */
export async function forgetInPools(dynamo: Dynamo, organizationId: string): Promise<void> {
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
export async function forgetPart(dynamo: Dynamo, organizationId: string, row: Row): Promise<boolean> {
  if (kindOf(row) !== engagementParts.name || !('_c' in row)) return false;
  const part = listItemOf<EngagementPart, never>(row);
  if (part.organizationId !== organizationId) return false;
  const [scope = ''] = row.pk.split('#');
  await openTable(dynamo, longId(scope)).delete(engagementParts, part);
  return true;
}

/** The record by which staff find the organization. */
export async function forgetOrganization(dynamo: Dynamo, organizationId: string): Promise<void> {
  const all = openTable(dynamo, GLOBAL_SCOPE);
  const current = await all.find(organizations, organizationId, true);
  if (current) await all.delete(organizations, current);
}
