import * as z from 'zod';
import { CREDENTIAL_KINDS } from '#shared/reports/report/report.ts';

/** The secret of a finding or a breach record as it is stored: never its text. */
export const FoundSecret = z.object({
  /** The exposed credential: a keyed hash of the text; for an unknown text, of its place. */
  key: z.string(),
  kind: z.enum(CREDENTIAL_KINDS),
  masked: z.string().optional(),
  account: z.string().optional(),
  /** The last check whose result differed from the check before. */
  check: z.object({ at: z.string(), verified: z.boolean() }).optional(),
});
export type FoundSecret = z.infer<typeof FoundSecret>;
