import { organizationStatus, organizations, type StoredOrganization } from '#shared/credentials/organization.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { changeOf } from '#shared/platform/table/changes.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';

const REPORTED = { name: 'organization', feedFields: ['name', 'slug', 'plan', 'trialEndsAt', 'status'] };

const reported = (one: StoredOrganization) => ({ ...one, status: organizationStatus(one) });

type Changed = { before?: StoredOrganization; after: StoredOrganization };

/** Reports a change of an organization to its own audit log and to that of the staff who made it. */
export function tellOrganization(batch: Batch, table: Table, { before, after }: Changed): void {
  const change = changeOf(REPORTED, { after: reported(after), ...(before && { before: reported(before) }) });
  const sides = new Set([table.tenant, inOrganization(table, after.id).tenant]);
  for (const side of sides) if (change) batch.within(side).announce(change);
}

type Decide = (organization: StoredOrganization) => Promise<Partial<StoredOrganization> | undefined>;

/** Reads, decides and writes, again after a conflict. `undefined` from `decide` leaves the record unchanged. @throws not_found */
export const changeOrganization = (table: Table, id: string, decide: Decide): Promise<StoredOrganization> =>
  retry(async () => {
    const all = inOrganization(table, GLOBAL_SCOPE);
    const before = await all.get(organizations, id, true);
    const changes = await decide(before);
    if (!changes) return before;
    return table.commit((batch) => {
      const after = batch.within(GLOBAL_SCOPE).update(organizations, before, all.changed(before, changes));
      tellOrganization(batch, table, { before, after });
      return after;
    });
  });
