import type { ComponentType } from 'preact';
import { answerOf } from '../api/client.ts';
import { askAgain, refusedBy } from '../api/question.ts';
import type { Acceptance } from '../parts/accept-form.tsx';
import { notify } from '../parts/toasts.tsx';
import { amountOf } from '../texts/amounts.ts';
import { texts } from '../texts.ts';

/** The chosen records, or those of the parameters of a list, which the service reads and checks in a body too. */
export type Selection = { ids?: string[]; filter?: Record<string, never> };
export type Preview = {
  changed: number;
  matched: number;
  refused: readonly { message: string }[];
  refusedCount: number;
  sample: readonly { id: string; title?: string; account?: string | null; location?: string }[];
  links: { list: string };
};
type BulkAnswer = { preview?: Preview; taskId?: string; task?: BulkTask };
type BulkTask = { result?: object | null };
type Request<T> = Parameters<typeof answerOf<T>>[0];

export type BulkAction<S extends string> = { status: S; label: string };

/** Changes of many records of a kind: previewed exactly, applied, and undone. */
export type BulkKind<S extends string> = {
  actions: readonly BulkAction<S>[];
  words: { one: string; many: string };
  /** All statuses: an empty selection is refused by the service. */
  statuses: readonly S[];
  /** A sorted list has these alone. */
  sorted?: readonly S[];
  /** Another change of the chosen records. */
  Other?: ComponentType<{ ids: string[]; done: () => void }>;
  /** A status that needs a reason and an end. */
  accepted?: S;
  send: (selection: Selection, change: Change<S>, how: { dryRun?: true; waitSeconds?: number }) => Request<BulkAnswer>;
  undo: (params: { path: { taskId: string }; query: { waitSeconds: number } }) => Request<{ task?: BulkTask }>;
};

export type Change<S extends string> = { status: S } & Partial<Acceptance>;

const WAIT_SECONDS = 20;

/** The records of a list, for a change of all of them. */
export function selectionOf<S extends string>({ statuses, sorted }: BulkKind<S>, search: string): Selection {
  const { sort = 'newest', ...parameters } = Object.fromEntries(new URLSearchParams(search));
  const isEverything = Object.keys(parameters).length === 0;
  const status = sort !== 'newest' && sorted ? sorted : isEverything ? statuses : undefined;
  return { filter: JSON.parse(JSON.stringify({ ...(status && { status }), ...parameters })) };
}

/** @throws Refused */
export const preview = async <S extends string>(kind: BulkKind<S>, selection: Selection, change: Change<S>) =>
  (await answerOf(kind.send(selection, change, { dryRun: true }))).preview;

export const recordsOf = ({ one, many }: { one: string; many: string }, amount: number): string =>
  amountOf(amount, one, many);

type Applied<S extends string> = { kind: BulkKind<S>; selection: Selection; change: Change<S>; changed: () => void };

/** Changes the records, says how many, and offers to undo it. */
export async function apply<S extends string>({ kind, selection, change, changed }: Applied<S>): Promise<void> {
  try {
    const { task, taskId } = await answerOf(kind.send(selection, change, { waitSeconds: WAIT_SECONDS }));
    const amount = resultOf(task, 'changed');
    const action = taskId ? { label: texts.bulk.undo, run: () => void undo(kind, taskId, changed) } : undefined;
    notify(amount === undefined ? texts.bulk.waiting : texts.bulk.done(recordsOf(kind.words, amount)), { action });
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
  changed();
  askAgain();
}

async function undo<S extends string>(kind: BulkKind<S>, taskId: string, changed: () => void): Promise<void> {
  try {
    const { task } = await answerOf(kind.undo({ path: { taskId }, query: { waitSeconds: WAIT_SECONDS } }));
    const amount = resultOf(task, 'restored');
    notify(amount === undefined ? texts.bulk.waiting : texts.bulk.undone(recordsOf(kind.words, amount)));
  } catch (error) {
    notify(refusedBy(error).message, { isError: true });
  }
  changed();
  askAgain();
}

function resultOf(task: BulkTask | undefined, name: string): number | undefined {
  const found = Object.entries(task?.result ?? {}).find(([key]) => key === name);
  return found && Number(found[1]);
}
