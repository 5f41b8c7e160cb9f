import * as z from 'zod';
import { FoundSecret } from '#shared/findings/finding/found-secret.ts';
import { recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';

/** A secret that a breach exposed, from an integrator's report. */
const BreachRecord = z.object({
  ...recordFields,
  /** Key of the integrator and its own id of the record. */
  key: z.string(),
  integratorId: z.string(),
  externalId: z.string(),
  breach: z.string(),
  secret: FoundSecret,
  location: z.string().optional(),
  leakedAt: Timestamp.optional(),
  firstSeenAt: Timestamp,
});
export type BreachRecord = z.infer<typeof BreachRecord>;

export const breachRecords = defineEntity(BreachRecord, {
  name: 'breach-record',
  // of no asset
  inPart: 'none',
  indexed: ({ secret }) => ({ credential: secret.key }),
  journal: true,
  feedFields: ['breach', 'externalId'],
  unique: ({ key }) => ({ key }),
  detail: ['createdBy'],
});
