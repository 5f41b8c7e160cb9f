import * as z from 'zod';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { dueSince, FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import {
  dueFields,
  isDueChosen,
  learnForDates,
  readSla,
  type Sla,
  type SlaPolicies,
} from '#shared/findings/sla/sla-policies.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalsOf } from '#shared/platform/table/selected.ts';

/**
 * A fixed finding gets a new due date when it returns. A finding that a decision closed keeps its due date when the
 * decision ends.
 */
const DATED = FINDING_STATUSES.filter((status) => status !== 'fixed');

/** `policies`: as they would be, for a preview. */
const Input = z.object({ policies: z.custom<SlaPolicies>().optional() });

/** Moves the due dates that no person chose to the dates of the policies. */
export async function redateFindings(work: Work): Promise<Record<string, unknown> | undefined> {
  const { policies } = Input.parse(work.task.input);
  const sla = await readSla(work.table, policies);
  return changeMany(work, {
    select: () => ordinalsOf(work.table, findings, { where: { status: DATED } }),
    prepare: (found) => learnForDates(work.table, sla, found),
    decide: (finding) => decisionOn(redated(sla, finding)),
  });
}

const decisionOn = (changes: ReturnType<typeof redated>): Decision =>
  changes && { changes, reason: 'The SLA policies were changed.' };

/** The change that brings a finding to the date of the policies; none where a person chose the date. */
export function redated(sla: Sla, finding: FindingRow): ReturnType<typeof dueFields> | undefined {
  if (finding.status === 'fixed' || isDueChosen(finding)) return undefined;
  const changes = dueFields(sla, finding, dueSince(finding));
  return changes.dueAt === finding.dueAt ? undefined : changes;
}
