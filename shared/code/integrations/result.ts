import * as z from 'zod';

/** The outcome of a delivery: its effects by name, or the reason why it has none. */
export const DeliveryResult = z
  .object({
    outcome: z.enum(['handled', 'ignored']),
    effects: z.array(z.string()),
    reason: z.string().optional(),
  })
  .meta({ id: 'DeliveryResult' });
export type DeliveryResult = z.infer<typeof DeliveryResult>;
