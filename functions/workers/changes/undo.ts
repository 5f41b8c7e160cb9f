import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision } from '#shared/findings/bulk/decision.ts';
import { assertAsLeft, readUndoable, type Undoable } from '#shared/findings/bulk/undo-rows.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { undoesOf, undoneOf } from './undone.ts';

/** Restores in findings the values that an earlier task replaced, where findings still have the task's values. */
export async function undoFindingsUpdate(work: Work): Promise<Record<string, unknown> | undefined> {
  const undoes = undoesOf(work);
  let known = new Map<string, Undoable>();
  const result = await changeMany(work, {
    select: async () => (await readUndoable(work.table, undoes)).map(({ id }) => id),
    async prepare(_found, part) {
      known = new Map((await readUndoable(work.table, undoes, part)).map((one) => [one.id, one]));
    },
    decide: (finding) => undone(finding, known.get(finding.id), undoes),
  });
  return undoneOf(result);
}

/**
 * A merge of branches changes `acknowledgedAt`, and a priority follows from other fields. Nobody has decided these
 * changes.
 */
const FOLLOWS: readonly string[] = ['acknowledgedAt', 'priority'];

function undone(finding: FindingRow, change: Undoable | undefined, taskId: string): Decision {
  if (!change) throw new Error(`finding ${finding.id} is selected, and nothing of it is to be undone`);
  assertAsLeft(finding, change, FOLLOWS);
  const former = Object.entries(change.from).map(([name, value]) => [name, value ?? undefined]);
  const changes = Object.fromEntries(former) as Partial<StoredFinding>;
  return { changes, reason: `The change by task ${taskId} was undone.` };
}
