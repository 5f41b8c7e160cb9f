import * as z from 'zod';
import { findings } from '../../entities/finding.ts';
import { sendTask, type TaskRow, taskStep } from '../../jobs/task.ts';
import { taskFolder } from '../../jobs/task-files.ts';
import type { Work } from '../../jobs/worker.ts';
import { now, nowMs } from '../../runtime/clock.ts';
import { newId } from '../../runtime/ids.ts';
import { retry } from '../../runtime/retry.ts';
import { systemActor } from '../../table/actor.ts';
import type { Batch } from '../../table/batch.ts';
import { openTable } from '../../table/table.ts';
import { changeFinding, deleteFinding } from '../change.ts';
import { FINDING_COLLECTIONS } from '../find.ts';
import {
  counted,
  type Decided,
  type Deciding,
  decided,
  type ManyResult,
  NOTHING_YET,
  type Outcome,
  Tally,
} from './decision.ts';
import { type Item, type Reading, readFound } from './found.ts';
import { groupOf } from './queue.ts';
import { type Undoable, undoable, undoWrite } from './undo-rows.ts';

/** Work on many findings. A deletion needs them whole. */
type ManyWork = Deciding &
  Reading & {
    /** Which findings; asked once, when the task begins. */
    select: () => Promise<readonly Item[]>;
    /** Keeps for so many days what is changed. */
    undoableDays?: number;
  };

const Checkpoint = Tally.extend({
  /** The object that holds the selection. */
  file: z.string(),
  /** The findings of the selection that are done. */
  place: z.int(),
  /** Of a selection by ids: the first letter of each one's outcome. */
  outcomes: z.string(),
  slice: z.int(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

type Session = Pick<Work, 'table' | 'connections'> & {
  many: ManyWork;
  task: TaskRow;
  selection: readonly Item[];
  checkpoint: Checkpoint;
};

/** After this the organization's other imports and changes go first. */
const SLICE_MS = 3_000;

/**
 * Works one message of a task that changes many findings, each of them once, however often workers die or others write
 * between: every transaction moves the checkpoint. The changes are those of the task's creator.
 * @returns the result, or undefined when the work goes on with another message
 */
export async function changeMany(work: Work, many: ManyWork): Promise<ManyResult | undefined> {
  const session = await openSession(work, many);
  const { table, selection } = session;
  const end = nowMs() + SLICE_MS;
  const isDone = () => session.checkpoint.place >= selection.length;
  while (!isDone() && nowMs() < end) await retry(() => changePart(session));
  for (const entity of FINDING_COLLECTIONS) await table.workJournal(entity);
  if (!isDone()) return continueLater(session);
  await saveCheckpoint(session, session.checkpoint);
  return resultOf(session);
}

async function openSession({ table: workers, connections, task }: Work, many: ManyWork): Promise<Session> {
  const { organizationId, cause } = workers;
  const table = openTable(connections.dynamo, organizationId, { ...(task.createdBy ?? systemActor), cause });
  const session = { table, connections, task, many };
  if (task.checkpoint) {
    const checkpoint = Checkpoint.parse(task.checkpoint);
    return { ...session, checkpoint, selection: await readSelection(session, checkpoint.file) };
  }
  const selection = await many.select();
  // a name of its own: a worker that was thought dead must not exchange the selection of the one that follows it
  const file = `${taskFolder(organizationId, task.id)}/selection-${newId()}`;
  await connections.bucket.put(file, JSON.stringify(selection));
  return { ...session, selection, checkpoint: { ...NOTHING_YET, file, place: 0, outcomes: '', slice: 0 } };
}

async function readSelection({ connections, task }: Pick<Session, 'connections' | 'task'>, file: string) {
  const bytes = await connections.bucket.get(file);
  if (!bytes) throw new Error(`the selection of task ${task.id} is gone`);
  return JSON.parse(Buffer.from(bytes).toString()) as Item[];
}

/** Findings that are read and decided on together: some ten transactions. */
const PART = 500;

/** Changes the next findings; after a conflict it is called again and goes on behind what is committed. */
async function changePart(session: Session): Promise<void> {
  const { many, checkpoint, selection } = session;
  const part = { from: checkpoint.place, to: Math.min(checkpoint.place + PART, selection.length) };
  const found = await readFound(session.table, selection.slice(part.from, part.to), many);
  await many.prepare?.(
    found.flatMap((one) => one?.finding ?? []),
    part,
  );
  let left = found.map((one) => decided(many.decide, one));
  while (left.length > 0) left = await changeSome(session, left);
}

/** The rows that each transaction has beside those of its findings: the task and what may be undone. */
const OWN_ROWS = 2;

/** Commits as many of these as fit a transaction. @returns those that are left */
async function changeSome(session: Session, all: readonly Decided[]): Promise<Decided[]> {
  const { table, task, checkpoint, many } = session;
  const batch = table.batch(true);
  const undo: Undoable[] = [];
  const at = now();
  const full = all.findIndex((one) => {
    let changed: Undoable | undefined;
    const fits = batch.takes((batch) => {
      changed = change({ table, task, many, batch, at }, one);
    }, OWN_ROWS);
    if (fits && changed) undo.push(changed);
    return !fits;
  });
  if (full === 0) throw new Error('changing one finding needs more rows than a transaction has');
  const some = full < 0 ? all : all.slice(0, full);
  const next = checkpointAfter(session, some);
  const { undoableDays: days } = many;
  if (days && undo.length > 0)
    batch.write(undoWrite(table, { taskId: task.id, place: checkpoint.changed, days }, undo));
  // what changes nothing is decided on again if the work stops here
  if (batch.size() > 0) await saveCheckpoint(session, next, batch);
  else session.checkpoint = next;
  return all.slice(some.length);
}

type Changing = Pick<Session, 'table' | 'task' | 'many'> & { batch: Batch; at: string };

function change({ table, task, many, batch, at }: Changing, one: Decided): Undoable | undefined {
  const { finding, entity = findings, decision } = one;
  if (!finding || !decision) return undefined;
  if (decision !== 'delete') {
    const place = { table, batch, entity, at, taskId: task.id };
    if ('several' in decision) return decision.several(place);
    changeFinding(place, finding, { ...decision, at, taskId: task.id });
    return undoable(finding, decision.changes);
  }
  if (!many.whole) throw new Error('only whole findings can be deleted: their fingerprint is a long field');
  deleteFinding({ table, batch, entity }, finding);
  return undefined;
}

const LETTERS: Record<string, Outcome> = { c: 'changed', u: 'unchanged', r: 'refused' };

/** Of so many ids the result names each one's outcome. */
const MAX_NAMED = 1000;

const namedIds = (selection: readonly Item[]): string[] =>
  selection.length <= MAX_NAMED ? selection.filter((item) => typeof item === 'string') : [];

function checkpointAfter({ checkpoint, selection }: Session, some: readonly Decided[]): Checkpoint {
  const place = checkpoint.place + some.length;
  const letters = namedIds(selection).length > 0 ? some.map(({ outcome }) => outcome[0]).join('') : '';
  return { ...checkpoint, ...counted(checkpoint, some), place, outcomes: checkpoint.outcomes + letters };
}

/** Moves the task to a checkpoint, in the transaction of what is done until then. */
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
  await sendTask(connections, table, task, { group: groupOf(table), deduplicationId: `${task.id}-${slice}` });
}

function resultOf({ selection, checkpoint }: Session): ManyResult {
  const { changed, unchanged, refused, refusedCount, kinds, outcomes } = checkpoint;
  const results = namedIds(selection).map((id, n) => ({ id, outcome: LETTERS[outcomes[n] ?? ''] ?? 'unchanged' }));
  const counts = { matched: selection.length, changed, unchanged, refused, refusedCount, ...(kinds && { kinds }) };
  return results.length > 0 ? { ...counts, results } : counts;
}
