import * as z from 'zod';
import { Id, trimmedText } from '#shared/platform/http/records.ts';

const MAX_NAMED = 50;

/** The part of the organization for which a role holds: what belongs to one of these. */
export const PartScope = z
  .strictObject({
    zones: z.array(trimmedText(120)).min(1).max(MAX_NAMED).optional(),
    applicationIds: z.array(Id).min(1).max(MAX_NAMED).optional(),
  })
  .refine(({ zones, applicationIds }) => zones ?? applicationIds, 'must have zones or applicationIds')
  .meta({ description: 'the part of the organization for which the role holds; without it the whole organization' });
export type PartScope = z.infer<typeof PartScope>;
