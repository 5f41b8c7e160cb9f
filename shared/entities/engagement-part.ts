import * as z from 'zod';
import { Id, recordFields } from '../http/records.ts';
import { defineEntity } from '../table/entity.ts';

/**
 * That a person has to do with an engagement: one for each, so that the engagements of a person are a list. It lies in
 * the person's organization and names that of the engagement: another one where staff work for a client.
 */
export const EngagementPart = z.object({ ...recordFields, engagementId: Id, personId: z.string(), organizationId: Id });
export type EngagementPart = z.infer<typeof EngagementPart>;

export const engagementParts = defineEntity<EngagementPart>(EngagementPart, {
  name: 'engagement-part',
  parents: { person: { of: ({ personId }) => personId } },
  unique: ({ engagementId, personId }) => ({ part: partKey(engagementId, personId) }),
});

const partKey = (engagementId: string, personId: string): string => `${engagementId}/${personId}`;

/** By what the part of a person in an engagement is found. */
export const partOf = (engagementId: string, personId: string) => ({
  field: 'part',
  value: partKey(engagementId, personId),
});
