import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';

/** The outcome of a delivery: its effects by name, or the reason why it has none. */
export const DeliveryResult = objectNamed('DeliveryResult', {
  outcome: z.enum(['handled', 'ignored']),
  effects: z.array(z.string()),
  reason: z.string().optional(),
});
export type DeliveryResult = z.infer<typeof DeliveryResult>;
