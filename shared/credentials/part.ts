import * as z from 'zod';
import { Id, trimmedText } from '#shared/platform/http/records.ts';

const MAX_NAMED = 50;

/** The part of the organization for which a role holds: what belongs to one of these. */
export const PartScope = z
  .strictObject({
    zones: z.array(trimmedText(120)).min(1).max(MAX_NAMED).optional(),
    applicationIds: z.array(Id).min(1).max(MAX_NAMED).optional(),
    teamIds: z.array(Id).min(1).max(MAX_NAMED).optional().meta({
      description: 'assets of which one of these teams is the owner (`ownerId`), not those of its members',
    }),
  })
  .refine((part) => Object.values(part).some(Boolean), 'must have zones, applicationIds or teamIds')
  .meta({ description: 'the part of the organization for which the role holds; without it the whole organization' });
export type PartScope = z.infer<typeof PartScope>;
