import * as z from 'zod';
import { partOfWork, sendTask, type TaskRow, taskStep } from '#shared/platform/jobs/task.ts';
import { taskFolder } from '#shared/platform/jobs/task-files.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, Overtaken } from '#shared/platform/runtime/errors.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Entity } from '#shared/platform/table/entity.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { markPreviewed } from '../view/previewed.ts';
import { counted, type ManyResult, NOTHING_YET, type Outcome, type ReportedOutcome, Tally } from './decision.ts';
import { type Item, placeOf } from './found.ts';
import { groupOf } from './queue.ts';
import { type Undoable, undoWrite } from './undo-rows.ts';

/** The rows of one transaction of a task. */
export type Changing = { table: Table; batch: Batch; at: string; taskId: string };

/** The decision on one record; `change` is called again for another transaction. */
export type Decided = ReportedOutcome & {
  change?: ((to: Changing) => Undoable | undefined) | undefined;
  /** The collection of the record, where its part has several. */
  collection?: Collection | undefined;
  /** Of a change that writes long texts: their size. */
  bytes?: number;
};
type Collection = Pick<Entity, 'name' | 'shards'>;

/** Work on many records of one kind. */
export type Part = {
  /** Selects the records; called once, when the part begins. @param before the records of the part before */
  select: (before: readonly Item[]) => Promise<readonly Item[]>;
  /** Decides on some of them, each at its place; also again after a conflict. */
  decide: (items: readonly Item[], places: { from: number; to: number }) => Promise<readonly Decided[]>;
  /** Their index is worked after each slice. */
  collections: readonly Collection[];
  /** Stores the changes for this many days, so that they can be undone. */
  undoableDays?: number | undefined;
};

const Checkpoint = Tally.extend({
  /** The object that holds the selection. */
  file: z.string(),
  /** The records of the selection that are done. */
  place: z.int(),
  /** For a selection by ids: the first letter of each outcome. */
  outcomes: z.string(),
  slice: z.int(),
  /** The parts that are done: the checkpoint at the end of each. */
  done: z.array(Tally.extend({ file: z.string(), outcomes: z.string() })).default([]),
});
type Checkpoint = z.infer<typeof Checkpoint>;

type Session = Pick<Work, 'table' | 'connections' | 'preview'> & {
  parts: readonly Part[];
  task: TaskRow;
  selection: readonly Item[];
  checkpoint: Checkpoint;
  /** The records that a preview has found to change, and has not marked yet. */
  noted: Map<Collection, number[]>;
};

/** After this the organization's other imports and changes go first. */
const SLICE_MS = 3_000;

/**
 * Works one message of a task that changes many records, part after part. Each record changes once, even when workers
 * die or others write in between: every transaction moves the checkpoint. The changes are by the task's creator. A preview
 * changes nothing and marks the records that each part would change; the results are in `work.preview`.
 * @returns the results of the parts, or undefined when another message continues the work
 */
export async function workParts(work: Work, parts: readonly Part[]): Promise<ManyResult[] | undefined> {
  const session = await openSession(work, parts);
  const { table } = session;
  const end = nowMs() + SLICE_MS;
  const isDone = () => session.checkpoint.place >= session.selection.length;
  for (;;) {
    while (!isDone() && nowMs() < end) await retry(() => changeSlice(session), isOvertaken);
    if (session.preview) await markNoted(session);
    else for (const entity of partOf(session).collections) await table.workJournal(entity);
    if (!isDone()) return continueLater(session);
    if (session.checkpoint.done.length + 1 === parts.length) break;
    await beginNext(session);
  }
  await saveCheckpoint(session, session.checkpoint);
  const results = await resultsOf(session);
  if (!session.preview) return results;
  session.preview.results = results;
  return undefined;
}

/** Another writer has changed or deleted a record meanwhile. */
const isOvertaken = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof ApiError && error.code === 'not_found');

function partOf({ parts, checkpoint }: Pick<Session, 'parts' | 'checkpoint'>): Part {
  const part = parts[checkpoint.done.length];
  if (!part) throw new Error('a checkpoint behind the last part');
  return part;
}

async function openSession(
  { table: workers, connections, task, preview }: Work,
  parts: readonly Part[],
): Promise<Session> {
  const { organizationId, cause } = workers;
  const author = { ...(task.createdBy ?? systemActor), cause };
  const table = openTable(connections.dynamo, organizationId, author, partOfWork(task));
  const session = { table, connections, task, parts, preview, noted: new Map() };
  if (task.checkpoint) {
    const checkpoint = Checkpoint.parse(task.checkpoint);
    return { ...session, checkpoint, selection: await readSelection(session, checkpoint.file) };
  }
  return { ...session, ...(await selected(session, [], [])) };
}

type Selecting = Pick<Session, 'table' | 'connections' | 'task' | 'parts'>;

async function selected(
  { table, connections, task, parts }: Selecting,
  done: Checkpoint['done'],
  before: readonly Item[],
): Promise<Pick<Session, 'selection' | 'checkpoint'>> {
  const selection = (await parts[done.length]?.select(before)) ?? [];
  // a unique name: a worker that seemed dead must not replace the selection of its successor
  const file = `${taskFolder(table.organizationId, task.id)}/selection-${newId()}`;
  await connections.bucket.put(file, JSON.stringify(selection));
  return { selection, checkpoint: { ...NOTHING_YET, file, place: 0, outcomes: '', slice: 0, done } };
}

/** Ends a part, and selects the records of the next. */
async function beginNext(session: Session): Promise<void> {
  const { checkpoint, selection } = session;
  const { done, place: _place, slice, ...ended } = checkpoint;
  const next = await selected(session, [...done, ended], selection);
  session.selection = next.selection;
  await saveCheckpoint(session, { ...next.checkpoint, slice });
}

async function readSelection({ connections, task }: Pick<Session, 'connections' | 'task'>, file: string) {
  const bytes = await connections.bucket.get(file);
  if (!bytes) throw new Error(`the selection of task ${task.id} is gone`);
  return JSON.parse(Buffer.from(bytes).toString()) as Item[];
}

/** Records that are read and decided on together: some ten transactions. */
const TOGETHER = 500;

/** Changes the next records; after a conflict it is called again and continues after the committed ones. */
async function changeSlice(session: Session): Promise<void> {
  const { checkpoint, selection } = session;
  const places = { from: checkpoint.place, to: Math.min(checkpoint.place + TOGETHER, selection.length) };
  const items = selection.slice(places.from, places.to);
  let left = await partOf(session).decide(items, places);
  if (session.preview) left = onlyNoted(session, items, left);
  while (left.length > 0) left = await changeSome(session, left);
}

/** The decisions without their changes; notes the records that would change. */
const onlyNoted = ({ noted, ...session }: Session, items: readonly Item[], all: readonly Decided[]): Decided[] =>
  all.map(({ change, collection = partOf(session).collections[0], ...outcome }, n) => {
    const item = items[n];
    if (change && collection && item !== undefined) {
      const some = noted.get(collection) ?? [];
      some.push(placeOf(item));
      noted.set(collection, some);
    }
    return outcome;
  });

async function markNoted({ table, task, noted }: Session): Promise<void> {
  for (const [collection, ordinals] of noted) await markPreviewed(table, collection, { id: task.id, ordinals });
  noted.clear();
}

/** The rows of each transaction besides the rows of its records: the task and the undo log. */
const OWN_ROWS = 2;
/** Long texts in a transaction of at most 4 MB, beside everything else. */
const MAX_TEXT_BYTES = 2_500_000;

/** Commits as many of these as fit a transaction. @returns those that are left */
async function changeSome(session: Session, all: readonly Decided[]): Promise<readonly Decided[]> {
  const { table, task, checkpoint } = session;
  const batch = table.batch(true);
  const undo: Undoable[] = [];
  const at = now();
  let size = 0;
  const full = all.findIndex(({ change, bytes = 0 }) => {
    size += bytes;
    if (size > MAX_TEXT_BYTES && size > bytes) return true;
    let changed: Undoable | undefined;
    const fits = batch.takes((batch) => {
      changed = change?.({ table, batch, at, taskId: task.id });
    }, OWN_ROWS);
    if (fits && changed) undo.push(changed);
    return !fits;
  });
  if (full === 0) throw new Error('changing one record needs more rows than a transaction has');
  const some = full < 0 ? all : all.slice(0, full);
  const next = checkpointAfter(session, some);
  const { undoableDays: days } = partOf(session);
  if (days && undo.length > 0)
    batch.write(undoWrite(table, { taskId: task.id, place: checkpoint.changed, days }, undo));
  // unchanged records are decided again if the work stops here
  if (batch.size() > 0) await saveCheckpoint(session, next, batch);
  else session.checkpoint = next;
  return all.slice(some.length);
}

const LETTERS: Record<string, Outcome> = { c: 'changed', u: 'unchanged', r: 'refused' };

/** The result names the outcome of each id up to this many ids. */
const MAX_NAMED = 1000;

const namedIds = (selection: readonly Item[]): string[] =>
  selection.length <= MAX_NAMED ? selection.filter((item) => typeof item === 'string') : [];

function checkpointAfter({ checkpoint, selection }: Session, some: readonly Decided[]): Checkpoint {
  const place = checkpoint.place + some.length;
  const letters = namedIds(selection).length > 0 ? some.map(({ outcome }) => outcome[0]).join('') : '';
  return { ...checkpoint, ...counted(checkpoint, some), place, outcomes: checkpoint.outcomes + letters };
}

/** Moves the task to a checkpoint, in the transaction of the work up to there. */
async function saveCheckpoint(session: Session, checkpoint: Checkpoint, batch?: Batch): Promise<void> {
  const { table, task, selection } = session;
  const total = selection.length;
  const progress = { ...task.progress, done: checkpoint.place, total };
  const { next, write } = taskStep(table, task, { checkpoint, progress });
  const to = batch ?? table.batch();
  to.write(write);
  await to.commit();
  Object.assign(session, { task: next, checkpoint });
}

async function continueLater(session: Session): Promise<undefined> {
  const { table, connections, task, checkpoint } = session;
  const slice = checkpoint.slice + 1;
  await saveCheckpoint(session, { ...checkpoint, slice });
  await sendTask(connections, table, task, { group: groupOf(table, task), deduplicationId: `${task.id}-${slice}` });
}

async function resultsOf(session: Session): Promise<ManyResult[]> {
  const { checkpoint, selection } = session;
  const results: ManyResult[] = [];
  for (const done of checkpoint.done) results.push(resultOf(done, await readSelection(session, done.file)));
  return [...results, resultOf(checkpoint, selection)];
}

function resultOf({ outcomes, ...tally }: Tally & { outcomes: string }, selection: readonly Item[]): ManyResult {
  const { changed, unchanged, refused, refusedCount, kinds } = tally;
  const results = namedIds(selection).map((id, n) => ({ id, outcome: LETTERS[outcomes[n] ?? ''] ?? 'unchanged' }));
  const counts = { matched: selection.length, changed, unchanged, refused, refusedCount, ...(kinds && { kinds }) };
  return results.length > 0 ? { ...counts, results } : counts;
}
