import * as z from 'zod';
import { Id, recordFields } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/**
 * The part of one person in one engagement: these records list the engagements of a person. A part is in the person's
 * organization and names the organization of the engagement; for staff that is a client.
 */
export const EngagementPart = z.object({ ...recordFields, engagementId: Id, personId: z.string(), organizationId: Id });
export type EngagementPart = z.infer<typeof EngagementPart>;

export const engagementParts = defineEntity<EngagementPart>(EngagementPart, {
  name: 'engagement-part',
  parents: { person: { of: ({ personId }) => personId } },
  unique: ({ engagementId, personId }) => ({ part: partKey(engagementId, personId) }),
});

const partKey = (engagementId: string, personId: string): string => `${engagementId}/${personId}`;

/** The unique value that finds the part of a person in an engagement. */
export const partOf = (engagementId: string, personId: string) => ({
  field: 'part',
  value: partKey(engagementId, personId),
});
