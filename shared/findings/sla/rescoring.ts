import * as z from 'zod';
import type { Selection } from '#shared/platform/table/list.ts';
import { OPEN_STATUSES } from '../finding/finding-status.ts';

const Day = z.iso.date();
const Due = z.strictObject({ due: z.strictObject({ from: Day, to: Day }) });
const All = z.strictObject({ all: z.literal(true) });

/**
 * The findings that a task `rescore_findings` rates: findings of the vulnerabilities that an object of the bucket
 * lists, open findings that are due on some days, or all.
 */
export const Rescoring = z.union([z.strictObject({ moved: z.string() }), Due, All]);
export type Rescoring = z.infer<typeof Rescoring>;

/** The findings that are rated because time passed, or because the rating changed. */
export type Aged = z.infer<typeof Due> | z.infer<typeof All>;

export const agedSelection = (aged: Aged): Selection =>
  'due' in aged ? { where: { status: [...OPEN_STATUSES] }, between: { due: aged.due } } : {};
