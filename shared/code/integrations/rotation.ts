import * as z from 'zod';
import { Timestamp } from '#shared/platform/http/records.ts';

const DAY_SECONDS = 86_400;

/** The replacement of a webhook's secret: the body, and the only answer that shows the new secret. */
export const secretRotation = {
  body: z.object({
    overlapSeconds: z
      .int()
      .min(0)
      .max(7 * DAY_SECONDS)
      .default(DAY_SECONDS)
      .meta({ description: 'seconds for which the earlier secret also works; use 0 after a leak' }),
  }),
  response: z
    .object({
      webhookSecret: z.string().meta({ description: 'shown once: the secret of the webhook at the sender' }),
      previousWorksUntil: Timestamp.nullable(),
    })
    .meta({ id: 'RotatedWebhookSecret' }),
};
export type RotatedSecret = z.output<(typeof secretRotation)['response']>;

/** The part of a test's answer that shows whether the access works. */
export const testedAccess = {
  works: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
};
