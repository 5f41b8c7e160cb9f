import * as z from 'zod';

/** The tasks that read a result's reports, or why the attempt failed after all. Kept to answer repeats. */
export const Accepted = z.object({
  ingestTaskIds: z.array(z.string()).default([]),
  refusal: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Accepted = z.infer<typeof Accepted>;
