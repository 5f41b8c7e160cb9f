import * as z from 'zod';
import { handOver } from '#shared/organizations/hand-over.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';

const Input = z.object({ from: z.string(), to: z.string() });

/** Hands over everything of an account that has left. */
export const handOverAll = ({ connections, table, task }: Work) =>
  handOver({ connections, table, caller: table.actor }, { ...Input.parse(task.input), all: true });
