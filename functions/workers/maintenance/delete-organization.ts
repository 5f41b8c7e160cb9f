import * as z from 'zod';
import { continueAt, keepStep } from '#shared/jobs/continue.ts';
import { type TaskRow, taskRows } from '#shared/jobs/task.ts';
import { TaskFailure, type Work } from '#shared/jobs/worker.ts';
import { keysPage } from '#shared/runtime/bucket-parts.ts';
import { chunksOf } from '#shared/runtime/chunks.ts';
import { now } from '#shared/runtime/clock.ts';
import { writeRows } from '#shared/table/io/commit.ts';
import { isOwned, kindOf, names, scanPage } from '#shared/table/upkeep/owned.ts';
import { forgetCustomers, forgetInPools, forgetOrganization, forgetPart } from './forget-elsewhere.ts';
import { continueLater, sliceEnd } from './slice.ts';

const Input = z.object({ organizationId: z.uuid() });

const Checkpoint = z.object({
  pass: z.int().default(1),
  /** Where the next page begins: a key of the table, or one of the bucket. */
  row: z.object({ pk: z.string(), sk: z.string() }).optional(),
  part: z.enum(['rows', 'objects']).default('rows'),
  object: z.string().optional(),
  /** Rows and objects that this pass found. */
  found: z.int().default(0),
  rows: z.int().default(0),
  objects: z.int().default(0),
  mentions: z.record(z.string(), z.int()).default({}),
  slice: z.int().default(0),
  /** When the credentials were gone. */
  closedAt: z.string().optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

type Deletion = Pick<Work, 'connections' | 'task'> & { organizationId: string };

/** Functions know a credential for a minute after it is gone, and a request takes half a minute: nobody writes after this. */
const QUIET_MS = 120_000;

/** Requests that were in flight and messages that were queued write for some minutes; then nobody opens the organization any more. */
const MOST_PASSES = 20;

/**
 * Removes an organization: every row and object that is its own or names it. The whole table and the whole bucket are read, again and
 * again, until one pass finds nothing: that is the proof. The task belongs to the one who asked, so it outlives the organization.
 * Killed anywhere, it goes on: what is gone is not found again.
 */
export async function deleteOrganization(work: Work): Promise<Record<string, unknown> | undefined> {
  const { organizationId } = Input.parse(work.task.input);
  const deletion = { ...work, organizationId };
  const isOver = sliceEnd();
  let at = Checkpoint.parse(work.task.checkpoint ?? {});
  if (at.pass === 1 && at.part === 'rows') await begin(deletion);
  for (;;) {
    if (isOver()) return continueLater(work, { checkpoint: { ...at, slice: at.slice + 1 }, progress: progressOf(at) });
    const next = at.part === 'rows' ? await removeRows(deletion, at) : await removeObjects(deletion, at);
    if (next) at = next;
    else if (at.found === 0) break;
    else {
      at = await nextPass(deletion, at);
      const quietAt = new Date(Date.parse(at.closedAt ?? now()) + QUIET_MS).toISOString();
      if (now() < quietAt) return continueAtTime(work, at, quietAt);
    }
  }
  await work.table.rows(taskRows).set({ id: work.task.id }, { progress: progressOf(at), updatedAt: now() });
  const { rows, objects, pass: passes, mentions } = at;
  return { rows, objects, passes, mentions };
}

const progressOf = ({ rows, objects }: Checkpoint) =>
  ({ done: rows + objects, unit: 'rows and objects' }) satisfies TaskRow['progress'];

async function begin({ connections, organizationId }: Deletion): Promise<void> {
  await forgetCustomers(connections.dynamo, organizationId);
  await forgetInPools(connections.dynamo, organizationId);
}

async function continueAtTime({ table, task }: Work, checkpoint: Checkpoint, at: string): Promise<undefined> {
  const kept = await keepStep(table, task, { checkpoint, progress: progressOf(checkpoint) });
  const { organizationId } = Input.parse(task.input);
  return continueAt({ table, task: kept, group: organizationId }, at);
}

async function nextPass({ connections, organizationId }: Deletion, at: Checkpoint): Promise<Checkpoint> {
  if (at.pass === MOST_PASSES)
    throw new TaskFailure(
      'still_written',
      'The organization is still being written to: ask for its deletion again later.',
    );
  await forgetOrganization(connections.dynamo, organizationId);
  return {
    ...at,
    pass: at.pass + 1,
    part: 'rows',
    object: undefined,
    found: 0,
    mentions: {},
    closedAt: at.closedAt ?? now(),
  };
}

async function removeRows({ connections, organizationId, task }: Deletion, at: Checkpoint): Promise<Checkpoint> {
  const { dynamo } = connections;
  const { rows, next } = await scanPage(dynamo, at.row);
  const owned = rows.filter((row) => isOwned(organizationId, row));
  await writeRows(dynamo, { remove: owned });
  let found = owned.length;
  const mentions = { ...at.mentions };
  for (const row of rows) {
    if (isOwned(organizationId, row) || row.id === task.id) continue;
    if (await forgetPart(dynamo, organizationId, row)) found += 1;
    else if (names(organizationId, row)) mentions[kindOf(row)] = (mentions[kindOf(row)] ?? 0) + 1;
  }
  const part = next ? ('rows' as const) : ('objects' as const);
  return {
    ...at,
    part,
    row: next && { pk: next.pk, sk: next.sk },
    found: at.found + found,
    rows: at.rows + found,
    mentions,
  };
}

const REMOVED_AT_ONCE = 100;

/** @returns undefined at the end of the bucket */
async function removeObjects(
  { connections, organizationId }: Deletion,
  at: Checkpoint,
): Promise<Checkpoint | undefined> {
  const keys = await keysPage(connections.bucket, { after: at.object });
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const owned = keys.filter((key) => key.split('/').includes(organizationId));
  for (const some of chunksOf(owned, REMOVED_AT_ONCE)) await connections.bucket.remove(some);
  return { ...at, object: last, found: at.found + owned.length, objects: at.objects + owned.length };
}
