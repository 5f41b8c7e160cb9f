import type { Decision } from '#shared/findings/bulk/decision.ts';
import { notMissing } from '#shared/findings/closing/keeps-open.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { severityWithoutReport } from '#shared/findings/finding/finding-severity.ts';
import { isOpen } from '#shared/findings/finding/finding-status.ts';
import { isDueChosen } from '#shared/findings/sla/sla-policies.ts';
import { findSeenById } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { released } from '../stated/decide.ts';
import type { Noted } from '../undo-log.ts';
import type { Undo } from './undo.ts';

/** Decides on each finding that an import changed. A finding that a later scan saw or closed stays. */
export function decideUndo(undo: Undo): (finding: FindingRow) => Decision {
  const { taskId, closed, reopened, updated } = undo;
  return (finding) => {
    const [wasClosed, wasReopened] = [closed.get(finding.id), reopened.get(finding.id)];
    if (wasClosed) return opened(undo, finding, wasClosed);
    if (wasReopened) return fixedAgain(undo, finding, wasReopened);
    if (finding.taskId === taskId) return deleted(undo, finding);
    const { suppressedBy } = finding;
    if (suppressedBy && suppressedBy.id === undo.documentId) return releasedAgain(undo, finding, suppressedBy);
    const wasUpdated = updated.get(finding.id);
    return wasUpdated && restored(undo, finding, wasUpdated);
  };
}

function deleted(undo: Undo, finding: FindingRow): Decision {
  assertUnseen(undo, finding);
  const { fixedByTaskId } = finding;
  if (fixedByTaskId && fixedByTaskId !== undo.taskId) throw conflict(`A later scan closed it: ${fixedByTaskId}.`);
  return 'delete';
}

/** Somebody may have opened it meanwhile; then nothing of the closing is left. */
function opened(undo: Undo, finding: FindingRow, { from, seen }: Noted): Decision {
  if (finding.status !== 'fixed' || finding.fixedByTaskId !== undo.taskId) return undefined;
  for (const { proof, proves } of undo.proofs)
    if (seen && notMissing(proof, seen) === undefined && proves(finding))
      throw conflict(`A later scan does not find it either: ${proof.taskId}.`);
  return { changes: former(from), reason: reasonOf(undo), kind: 'opened' };
}

function fixedAgain(undo: Undo, finding: FindingRow, { from }: Noted): Decision {
  if (!isOpen(finding.status) || finding.reopenedAt !== undo.at) return undefined;
  assertUnseen(undo, finding);
  return { changes: former(from), reason: reasonOf(undo), kind: 'fixed' };
}

/** The finding has the status from before the VEX document. */
function releasedAgain(undo: Undo, finding: FindingRow, held: NonNullable<FindingRow['suppressedBy']>): Decision {
  const reason = reasonOf(undo);
  return { changes: released(finding, held, { at: now(), reason }), reason, kind: 'released' };
}

/** Unless another report said something else since. A severity or date that a person set since stays. */
function restored(undo: Undo, finding: FindingRow, { from, hash }: Noted): Decision {
  if (Reflect.get(finding, 'contentHash') !== hash) return undefined;
  assertUnseen(undo, finding);
  const { severity, severityOverridden: _overridden, reportedSeverity, dueAt, dueChosen, ...texts } = from;
  const changes = {
    ...former(texts),
    ...severityWithoutReport(finding, { severity, reportedSeverity }),
    ...(!isDueChosen(finding) &&
      former({ ...('dueAt' in from && { dueAt }), ...('dueChosen' in from && { dueChosen }) })),
  };
  return { changes, reason: reasonOf(undo), kind: 'restored' };
}

/** @throws conflict where a scan after the import saw the finding */
function assertUnseen({ later, at }: Undo, { id }: FindingRow): void {
  const time = Date.parse(at);
  if (later.some((state) => (findSeenById(state, id)?.seenAt ?? 0) > time)) throw conflict('A later scan saw it.');
}

const former = (from: Noted['from']): Partial<StoredFinding> =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [name, value ?? undefined]));

const reasonOf = ({ taskId }: Undo): string => `The import ${taskId} was undone.`;
