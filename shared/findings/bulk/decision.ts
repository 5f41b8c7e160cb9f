import * as z from 'zod';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { findings, StoredFinding } from '../finding/finding.ts';
import type { FindingRow } from '../view/view.ts';
import type { Found } from './found.ts';
import type { Undoable } from './undo-rows.ts';

/** The decision on one finding; undefined leaves it as it is. */
export type Decision =
  | {
      changes: Partial<StoredFinding>;
      reason?: string | undefined;
      /** The name under which the result counts the change, where a task makes changes of several kinds. */
      kind?: string;
      /** The vulnerabilities whose decision the change follows. */
      vulnerabilityIds?: string[];
    }
  | { several: (place: Place) => Undoable; kind: string }
  | 'delete'
  | undefined;

/** The place of the changes of a decision on more than one record. Called again for another transaction. */
export type Place = { table: Table; batch: Batch; entity: typeof findings; at: string; taskId: string };

/** @throws ApiError for a finding that refuses the change */
type Decide = (finding: FindingRow) => Decision;

/** The decisions of one task on many findings. */
export type Deciding = {
  decide: Decide;
  /**
   * Called with the findings of a part, before the decisions on them; again after a conflict. The part is a range of
   * places of the selection.
   */
  prepare?: (found: readonly FindingRow[], part: { from: number; to: number }) => Promise<void>;
};

const OUTCOMES = ['changed', 'unchanged', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const MAX_REFUSED = 50;
export const Refused = z.object({ id: z.string(), code: z.string(), message: z.string() });
type Refused = z.infer<typeof Refused>;

/** How many findings were changed so far. */
export const Tally = z.object({
  changed: z.int(),
  unchanged: z.int(),
  refused: z.array(Refused).meta({ description: `the first ${MAX_REFUSED} that refuse the change` }),
  refusedCount: z.int(),
  /** The number of changes of each kind, for work with several kinds. */
  kinds: z.record(z.string(), z.int()).optional(),
});
export type Tally = z.infer<typeof Tally>;

/** The result of a work on many findings. */
export const ManyResult = Tally.extend({
  matched: z.int(),
  results: z
    .array(z.object({ id: z.string(), outcome: z.enum(OUTCOMES) }))
    .optional()
    .meta({ description: 'the outcome of each id, if the request named ids' }),
}).meta({ id: 'FindingsChangeResult' });
export type ManyResult = z.infer<typeof ManyResult>;

export const NOTHING_YET: Tally = { changed: 0, unchanged: 0, refused: [], refusedCount: 0 };

/** The part of a decision that the task's result reports. */
export type ReportedOutcome = { outcome: Outcome; refused?: Refused | undefined; kind?: string | undefined };

/** A finding, its collection, and the decision on it. */
export type DecidedFinding = ReportedOutcome & { finding?: FindingRow; entity?: typeof findings; decision?: Decision };

export function decided(decide: Decide, found: Found): DecidedFinding {
  if (!found) return { outcome: 'unchanged' };
  const { id, finding, entity } = found;
  if (!finding) return refusal({ id, code: 'not_found', message: `There is no finding ${id}.` });
  return refusing(id, () => {
    const decision = decide(finding);
    const kind = decision === 'delete' ? 'deleted' : decision?.kind;
    return { outcome: decision ? 'changed' : 'unchanged', finding, entity, decision, kind };
  });
}

/** The decision on a record, or its refusal. */
export function refusing<D extends ReportedOutcome>(id: string, decide: () => D): D | ReportedOutcome {
  try {
    return decide();
  } catch (error) {
    if (!(error instanceof ApiError) || error instanceof Overtaken) throw error;
    return refusal({ id, code: error.code, message: error.message });
  }
}

export const refusal = (refused: Refused): ReportedOutcome => ({ outcome: 'refused', refused });

export function counted(before: Tally, some: readonly ReportedOutcome[]): Tally {
  const countOf = (wanted: Outcome) => some.filter(({ outcome }) => outcome === wanted).length;
  const refused = some.flatMap((one) => one.refused ?? []);
  return {
    changed: before.changed + countOf('changed'),
    unchanged: before.unchanged + countOf('unchanged'),
    refused: [...before.refused, ...refused].slice(0, MAX_REFUSED),
    refusedCount: before.refusedCount + refused.length,
    kinds: some.reduce(withKind, before.kinds),
  };
}

function withKind(counts: Tally['kinds'], { kind }: ReportedOutcome): Tally['kinds'] {
  return kind === undefined ? counts : { ...counts, [kind]: (counts?.[kind] ?? 0) + 1 };
}
