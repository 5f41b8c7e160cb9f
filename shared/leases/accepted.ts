import * as z from 'zod';

/** What was taken of a result: the tasks that read its reports, or why the attempt failed after all. Kept for repeats. */
export const Accepted = z.object({
  ingestTaskIds: z.array(z.string()).default([]),
  refusal: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Accepted = z.infer<typeof Accepted>;
