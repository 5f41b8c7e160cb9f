import * as z from 'zod';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

/** The progress of the work: the phase, the collection in it, and the last place in that. */
const Checkpoint = z.object({
  phase: z.int().default(0),
  collection: z.int().default(0),
  after: z.int().default(-1),
  from: z.string().default(''),
  slice: z.int().default(0),
  seen: z.int().default(0),
  made: z.int().default(0),
  requeued: z.int().default(0),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export const readCheckpoint = ({ checkpoint = {} }: TaskRow): Checkpoint => Checkpoint.parse(checkpoint);

/** The work, and the object that lists the scan scopes whose state is missing. */
export type Settling = Work & { missingFile: string };

export type Reached = Promise<Checkpoint | undefined>;
