import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';

/** The things that a tool judges, reads or reaches. */
type Thing = 'control' | 'file' | 'issue' | 'object' | 'package' | 'result' | 'server' | 'target' | 'template';

/** Something that a report lacks, so that a finding may be there although the report does not have it. */
export type Gap = {
  code: GapCode;
  /** How many things it concerns, and of how many, where the report says so. */
  count?: number | undefined;
  of?: number | undefined;
  thing?: Thing;
  /** Only the findings of these things stay open. */
  partly?: true;
  /** The first of them, or the reason, in the words of the tool. */
  first?: string | undefined;
};

/** The ids in docs/closing.md; `gap-words.ts` has their sentences. */
export const GAP_CODES = [
  'not_judged',
  'not_read',
  'not_reached',
  'tool_error',
  'not_finished',
  'more_pages',
  'no_results',
  'no_scan',
  'entry_rejected',
] as const;
export type GapCode = (typeof GAP_CODES)[number];

export const IncompleteReason = objectNamed('IncompleteReason', {
  code: z.enum(GAP_CODES).meta({ description: 'the id in docs/closing.md' }),
  message: z.string(),
  count: z.int().optional().meta({ description: 'how many controls, files, targets ... it concerns' }),
  partly: z.literal(true).optional().meta({ description: 'the report closes findings, but none of these things' }),
});
export type IncompleteReason = z.infer<typeof IncompleteReason>;
