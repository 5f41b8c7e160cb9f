import {
  ORGANIZATION_STATUSES,
  type OrganizationStatus,
  organizationStatus,
  type StoredOrganization,
} from '#shared/credentials/organization.ts';
import { summaryOf } from '#shared/organizations/summary.ts';
import { readLimits } from '#shared/platform/quotas/limits.ts';
import { where } from '#shared/platform/table/match.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import type { Organization, OrganizationListItem } from './records.ts';

/** The organization as lists show it; one that has a name only has nulls. */
export function shownInList({ deletion, consent: _, ...stored }: StoredOrganization): OrganizationListItem {
  const { slug = null, plan = null, trialEndsAt = null, suspension = null, template = null } = stored;
  const status = organizationStatus({ ...stored, deletion });
  const deletionAt = deletion?.deletionAt ?? null;
  return { ...stored, slug, plan, trialEndsAt, suspension, template, status, deletionAt };
}

export async function shown(table: Table, stored: StoredOrganization): Promise<Organization> {
  const theirs = inOrganization(table, stored.id);
  const [limits, summary] = await Promise.all([readLimits(theirs), summaryOf(theirs)]);
  return { ...shownInList(stored), limits, summary };
}

const MARKED = ORGANIZATION_STATUSES.filter((status) => status !== 'active');

/** The condition of a list; active organizations have no mark. */
export const ofStatus = (status: OrganizationStatus | undefined) =>
  status === 'active' ? { matching: { not: { name: 'status', values: MARKED } } } : where({ status });
