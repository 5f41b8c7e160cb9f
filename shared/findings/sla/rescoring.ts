import * as z from 'zod';
import type { Selection } from '#shared/platform/table/list.ts';
import { OPEN_STATUSES } from '../finding/finding-status.ts';

const Day = z.iso.date();
const Due = z.strictObject({ due: z.strictObject({ from: Day, to: Day }) });
const All = z.strictObject({ all: z.literal(true) });

/**
 * Which findings a task `rescore_findings` rates anew: those of the vulnerabilities that an object of the bucket lists, open
 * ones that are due on some days, or all.
 */
export const Rescoring = z.union([z.strictObject({ moved: z.string() }), Due, All]);
export type Rescoring = z.infer<typeof Rescoring>;

/** Which findings are rated anew because time went by, or because the rating is another one since. */
export type Aged = z.infer<typeof Due> | z.infer<typeof All>;

export const agedSelection = (aged: Aged): Selection =>
  'due' in aged ? { where: { status: [...OPEN_STATUSES] }, between: { due: aged.due } } : {};
