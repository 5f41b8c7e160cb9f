import { answerOf, client } from '../../api/client.ts';
import { askAgain, refusedBy } from '../../api/question.ts';
import type { FindingsUpdate } from '../../api/types.ts';
import { notify } from '../../parts/toasts.tsx';
import { texts } from '../../texts.ts';
import { MOVES } from './moves.ts';

type Selection = Pick<FindingsUpdate, 'ids' | 'filter'>;
export type Change = Pick<FindingsUpdate, 'changes' | 'reason'>;

const WAIT_SECONDS = 20;
const OPEN = ['open', 'in_progress'];

/** The findings of a list, for a change of all of them: a sorted list has only open ones. */
export function selectionOf(search: string): Selection {
  const { sort = 'newest', ...parameters } = Object.fromEntries(new URLSearchParams(search));
  const isSorted = sort !== 'newest';
  const isEverything = Object.keys(parameters).length === 0;
  const status = isSorted ? OPEN : isEverything ? Object.keys(MOVES) : undefined;
  // the service reads the parameters of an address in a body too, and checks them
  return { filter: JSON.parse(JSON.stringify({ ...(status && { status }), ...parameters })) };
}

/** @throws Refused */
export const preview = (selection: Selection, change: Change) =>
  answerOf(client.PATCH('/api/v1/findings', { body: { ...selection, ...change, dryRun: true } }));

/** Changes the findings, says how many, and offers to undo it. */
export async function apply(selection: Selection, change: Change, changed: () => void): Promise<void> {
  try {
    const { task, taskId } = await answerOf(
      client.PATCH('/api/v1/findings', {
        params: { query: { waitSeconds: WAIT_SECONDS } },
        body: { ...selection, ...change },
      }),
    );
    const amount = task?.result && 'changed' in task.result ? Number(task.result.changed) : undefined;
    const action = taskId ? { label: texts.bulk.undo, run: () => void undo(taskId, changed) } : undefined;
    notify(amount === undefined ? texts.bulk.waiting : texts.bulk.done(amount), { action });
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
  changed();
  askAgain();
}

async function undo(taskId: string, changed: () => void): Promise<void> {
  try {
    const { task } = await answerOf(
      client.POST('/api/v1/findings/bulk/{taskId}/undo', {
        params: { path: { taskId }, query: { waitSeconds: WAIT_SECONDS } },
      }),
    );
    const amount = task?.result && 'restored' in task.result ? Number(task.result.restored) : undefined;
    notify(amount === undefined ? texts.bulk.waiting : texts.bulk.undone(amount));
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
  changed();
  askAgain();
}
