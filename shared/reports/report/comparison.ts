import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { Severity } from './report.ts';

const Counts = z.record(Severity, z.int().nonnegative());

/** A report beside the branch that it is compared with: open findings by severity. */
export const Comparison = objectNamed('ImportComparison', {
  baseRef: z.string().nullable().meta({ description: 'null: the default branch is not known, or has no name yet' }),
  new: Counts.meta({
    description:
      'open findings that the base lacks; for the base itself, the findings that came or returned with this commit',
  }),
  existing: Counts,
  fixed: Counts.nullable().meta({
    description: 'open findings of the base that this report proves gone; null if it proves nothing (docs/closing.md)',
  }),
});
export type Comparison = z.infer<typeof Comparison>;
