import { now } from '../runtime/clock.ts';
import type { Dynamo } from '../runtime/dynamo.ts';
import { givenFields } from '../runtime/given.ts';
import { MinuteCache } from '../runtime/minute-cache.ts';
import { defineRow } from '../table/io/row.ts';
import { openTable, type Table } from '../table/table.ts';
import { OrganizationLimits } from './quotas.ts';

/** Only the limits that differ from their defaults are stored, so that a later default reaches the others. */
type StoredLimits = Partial<OrganizationLimits> & { version?: number };

export const limitRows = defineRow<StoredLimits, object>({
  name: 'organization-limits',
  about: "an organization's limits, as far as staff set them",
  key: () => ['all'],
});

/** `until`: the end of the limits of a plan whose payment failed. */
type PlanLimits = { limits: Partial<OrganizationLimits>; until: string | null };

export const planLimitRows = defineRow<PlanLimits, object>({
  name: 'plan-limits',
  about: "an organization's limits, as far as its plan grants others than the defaults",
  key: () => ['all'],
});

/** The limits that differ from the defaults: limits that staff set, then the plan's limits. */
export async function changedLimits(table: Table): Promise<Partial<OrganizationLimits>> {
  const [plan, set] = await Promise.all([table.rows(planLimitRows).find({}), table.rows(limitRows).find({})]);
  const isOver = plan !== undefined && plan.until !== null && plan.until <= now();
  return givenFields(OrganizationLimits, { ...(isOver ? {} : plan?.limits), ...set });
}

export const readLimits = async (table: Table): Promise<OrganizationLimits> =>
  OrganizationLimits.parse(await changedLimits(table));

const known = new MinuteCache<OrganizationLimits>();

/** The limits, at most a minute old. */
export const knownLimits = (dynamo: Dynamo, organizationId: string): Promise<OrganizationLimits> =>
  known.get(dynamo, organizationId, () => readLimits(openTable(dynamo, organizationId)));
