import * as z from 'zod';
import { ORGANIZATION_STATUSES, organizationFields } from '#shared/credentials/organization.ts';
import { OrganizationSummary } from '#shared/organizations/summary.ts';
import { live, nameText, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { OrganizationLimits } from '#shared/platform/quotas/quotas.ts';

const listed = {
  ...recordFields,
  name: nameText(120).meta({ example: 'Acme' }),
  ...organizationFields,
  status: readOnly(
    z.enum(ORGANIZATION_STATUSES).meta({
      description: '`deleting` from the approval of a deletion; `suspended`: nobody of the organization is served',
    }),
  ),
  deletionAt: readOnly(Timestamp.nullable().meta({ description: 'when an approved deletion begins' })),
};

export const OrganizationListItem = objectNamed('OrganizationListItem', listed);
export type OrganizationListItem = z.infer<typeof OrganizationListItem>;

/** A client of the provider, in the view of its staff. */
export const Organization = objectNamed('Organization', {
  ...listed,
  limits: OrganizationLimits,
  summary: live(OrganizationSummary),
});
export type Organization = z.infer<typeof Organization>;

export const OrganizationOverview = objectNamed('OrganizationOverview', {
  id: listed.id,
  name: listed.name,
  slug: listed.slug,
  status: listed.status,
  summary: OrganizationSummary,
});
