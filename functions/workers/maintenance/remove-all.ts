import * as z from 'zod';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { keysPage } from '#shared/platform/runtime/bucket-parts.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { writeRows } from '#shared/platform/table/io/commit.ts';
import type { Row } from '#shared/platform/table/layout/keys.ts';
import { kindOf, scanPage } from '#shared/platform/table/upkeep/owned.ts';

/** The progress of a removal, in the checkpoint of its task. */
export const Removal = z.object({
  pass: z.int().default(1),
  /** The start of the next page: a key of the table, or of the bucket. */
  row: z.object({ pk: z.string(), sk: z.string() }).optional(),
  part: z.enum(['rows', 'objects']).default('rows'),
  object: z.string().optional(),
  /** Rows and objects that this pass found. */
  found: z.int().default(0),
  rows: z.int().default(0),
  objects: z.int().default(0),
  mentions: z.record(z.string(), z.int()).default({}),
  /** When the first pass ended, which closed the credentials. */
  closedAt: z.string().optional(),
});
export type Removal = z.infer<typeof Removal>;

export type RemovalRules = {
  /** The treatment of a row. A row that was changed, or removed with others, counts as found: the passes continue. */
  treat: (row: Row) => Promise<'remove' | 'found' | 'mention' | 'leave'>;
  isTheirs: (key: string) => boolean;
  beforePass?: () => Promise<void>;
};

/**
 * Functions remember a credential for a minute after its removal, and a request takes half a minute: nobody writes
 * after this time.
 */
const QUIET_MS = 120_000;

/** Requests that were in flight and messages that were queued write for some minutes; then nobody opens the organization any more. */
const MAX_PASSES = 20;

/** Undefined `isDone`: the slice is over. Nothing may go on before `quietAt`. */
type Reached = { at: Removal; isDone?: true; quietAt?: string };

/**
 * Removes everything that the rules name, in slices. Reads the whole table and the whole bucket, again and again, until
 * one pass finds nothing: this is the proof. After a crash it continues: removed rows are not found again.
 */
export async function removeAll(
  work: Work,
  rules: RemovalRules,
  { from, isOver }: { from: Removal; isOver: () => boolean },
): Promise<Reached> {
  let at = from;
  while (!isOver()) {
    const next = at.part === 'rows' ? await removeRows(work, rules, at) : await removeObjects(work, rules, at);
    if (next) at = next;
    else if (at.found === 0) return { at, isDone: true };
    else {
      at = await nextPass(rules, at);
      const quietAt = new Date(Date.parse(at.closedAt ?? now()) + QUIET_MS).toISOString();
      if (now() < quietAt) return { at, quietAt };
    }
  }
  return { at };
}

async function nextPass({ beforePass }: RemovalRules, at: Removal): Promise<Removal> {
  if (at.pass === MAX_PASSES)
    throw new TaskFailure('still_written', 'The organization is still being written to: ask for this again later.');
  await beforePass?.();
  const begin = { part: 'rows' as const, object: undefined, found: 0, mentions: {} };
  return { ...at, ...begin, pass: at.pass + 1, closedAt: at.closedAt ?? now() };
}

async function removeRows({ connections: { dynamo } }: Work, { treat }: RemovalRules, at: Removal): Promise<Removal> {
  const { rows, next } = await scanPage(dynamo, at.row);
  const treated: { row: Row; as: Awaited<ReturnType<typeof treat>> }[] = [];
  for (const row of rows) treated.push({ row, as: await treat(row) });
  await writeRows(dynamo, { remove: treated.flatMap(({ row, as }) => (as === 'remove' ? row : [])) });
  const found = treated.filter(({ as }) => as === 'remove' || as === 'found').length;
  const mentions = { ...at.mentions };
  for (const { row, as } of treated) if (as === 'mention') mentions[kindOf(row)] = (mentions[kindOf(row)] ?? 0) + 1;
  const part = next ? ('rows' as const) : ('objects' as const);
  const row = next && { pk: next.pk, sk: next.sk };
  return { ...at, part, row, found: at.found + found, rows: at.rows + found, mentions };
}

const REMOVED_AT_ONCE = 100;

/** @returns undefined at the end of the bucket */
async function removeObjects(
  { connections: { bucket } }: Work,
  { isTheirs }: RemovalRules,
  at: Removal,
): Promise<Removal | undefined> {
  const keys = await keysPage(bucket, { after: at.object });
  const last = keys.at(-1);
  if (last === undefined) return undefined;
  const theirs = keys.filter(isTheirs);
  for (const some of chunksOf(theirs, REMOVED_AT_ONCE)) await bucket.remove(some);
  return { ...at, object: last, found: at.found + theirs.length, objects: at.objects + theirs.length };
}
