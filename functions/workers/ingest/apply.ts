import { mayChange, sightingChanges } from '#functions/workers/ingest/changes.ts';
import { type Entry, findingDraft } from '#functions/workers/ingest/entry.ts';
import { assetKey } from '#shared/entities/asset.ts';
import { findings, type StoredFinding } from '#shared/entities/finding.ts';
import { isOpen } from '#shared/entities/finding-status.ts';
import { historyWrite } from '#shared/findings/history.ts';
import { packState, type SeenRecord } from '#shared/findings/scan-state.ts';
import { eachAtOnce } from '#shared/runtime/chunks.ts';
import { isConflict, retry } from '#shared/runtime/retry.ts';
import type { Batch } from '#shared/table/batch.ts';
import { MAX_TRANSACTION } from '#shared/table/io/commit.ts';
import { ensureAssets } from './assets.ts';
import { type KnownEntry, lookUp } from './lookup.ts';
import { loadChunk } from './parse.ts';
import { discardLost, idsForNew } from './reserved.ts';
import { type Checkpoint, checkpointWrite, type Session } from './session.ts';

/** A chunk that is being applied: its entries with their known findings, and the ids of its new findings. */
type Chunk = {
  known: KnownEntry[];
  ids: Map<number, string>;
  assets: Awaited<ReturnType<typeof ensureAssets>>;
  /** Whole findings, of those that may have to be written. */
  whole: Map<string, StoredFinding>;
};

/**
 * Applies the chunk at the checkpoint, batch by batch; after a crash the work goes on at the batch that was not
 * committed. When someone else wrote the same findings in between, the known findings are read again.
 */
export async function applyChunk(session: Session, resumed: boolean): Promise<void> {
  const entries = await loadChunk(session, session.checkpoint.chunk);
  await retry(async (attempt) => {
    const consistent = resumed || attempt > 1;
    const known = await lookUp(session.table, session.state, { entries, consistent });
    await applyEntries(session, await prepare(session, known));
  }, isConflict);
}

async function prepare(session: Session, known: KnownEntry[]): Promise<Chunk> {
  const { table, checkpoint, at } = session;
  const left = known.slice(checkpoint.line);
  const created = left.filter(({ standing }) => !standing);
  const changed = left.flatMap(({ entry, standing, seen }) =>
    standing && mayChange(entry, standing, seen) ? [standing.id] : [],
  );
  const ids = await idsForNew(session, known);
  const [assets, whole] = await Promise.all([
    ensureAssets(
      table,
      created.map(({ entry }) => entry.asset),
      at,
    ),
    readWhole(session, changed),
    discardLost(session, known, ids),
  ]);
  return { known, ids, assets, whole };
}

const READS_AT_ONCE = 20;

async function readWhole({ table }: Session, ids: readonly string[]): Promise<Map<string, StoredFinding>> {
  const found = await eachAtOnce(ids, READS_AT_ONCE, (id) => table.find(findings, id, true));
  return new Map(found.flatMap((finding) => (finding ? [[finding.id, finding]] : [])));
}

/** Rows that one more finding may add to a transaction, counters and search words included. */
const ROWS = { create: 13, update: 28 };

async function applyEntries(session: Session, chunk: Chunk): Promise<void> {
  const { table, checkpoint } = session;
  const commits = inOrder(session);
  let batch = table.batch(true);
  const next: Checkpoint = { ...checkpoint, counts: { ...checkpoint.counts } };
  for (const [line, known] of chunk.known.entries()) {
    if (line < checkpoint.line) continue;
    const rows = known.standing ? ROWS.update : ROWS.create;
    if (batch.size() + rows >= MAX_TRANSACTION) {
      await commits.add(batch, { ...next, counts: { ...next.counts }, line });
      batch = table.batch(true);
    }
    applyEntry({ session, chunk, batch, next }, known, line);
  }
  const seen = packState(sightings(session, chunk));
  await Promise.all([commits.end(), session.connections.bucket.put(session.files.seen(checkpoint.chunk), seen)]);
  const end = { ...next, chunk: checkpoint.chunk + 1, line: 0, reserved: undefined };
  // A chunk that changed nothing writes nothing; it is compared again if the work stops here.
  if (batch.size() > 0) await commitBatch(session, batch, end);
  else session.checkpoint = end;
}

/**
 * Commits batches one after the other, each with its checkpoint; the rows that go ahead of a transaction are written
 * while the transaction before runs. After a failure no transaction runs any more.
 */
function inOrder(session: Session) {
  let last: Promise<void> = Promise.resolve();
  return {
    async add(batch: Batch, next: Checkpoint): Promise<void> {
      const [before] = await Promise.allSettled([last, batch.prepare()]);
      if (before.status === 'rejected') throw before.reason;
      last = commitBatch(session, batch, next);
      last.catch(() => undefined); // whoever waits for it next gets the error
    },
    end: () => last,
  };
}

async function commitBatch(session: Session, batch: Batch, next: Checkpoint): Promise<void> {
  const { write, moved } = checkpointWrite(session, next);
  batch.write(write);
  await batch.commit();
  moved();
}

type Application = { session: Session; chunk: Chunk; batch: Batch; next: Checkpoint };

function applyEntry(
  { session, chunk, batch, next }: Application,
  { entry, standing, seen }: KnownEntry,
  line: number,
): void {
  if (!standing) {
    createFinding({ session, chunk, batch, next }, entry, line);
    next.counts.created += 1;
    return;
  }
  if (seen && isOpen(standing.status)) next.openBefore += 1;
  const whole = chunk.whole.get(standing.id);
  const changes =
    whole && sightingChanges(whole, { ...session, entry, scan: session.submission, taskId: session.task.id });
  if (!whole || !changes) next.counts.unchanged += 1;
  else next.counts[updateFinding({ session, chunk, batch, next }, whole, changes)] += 1;
}

function createFinding({ session, chunk, batch }: Application, entry: Entry, line: number): void {
  const { table, submission, scope, task, at } = session;
  const id = chunk.ids.get(line);
  const asset = chunk.assets.get(assetKey(entry.asset));
  if (!id || !asset) throw new Error(`line ${line} of chunk ${session.checkpoint.chunk} has no identity`);
  batch.create(findings, table.stamp(findingDraft(entry, { id, asset, scan: submission, scope, taskId: task.id, at })));
}

function updateFinding(
  { session, batch }: Application,
  whole: StoredFinding,
  changes: Partial<StoredFinding>,
): 'updated' | 'reopened' {
  const { table, task, at } = session;
  const next = batch.update(findings, whole, table.changed(whole, changes));
  if (changes.status === undefined) return 'updated';
  const { id: findingId, version, statusReason: reason } = next;
  const moved = { status: { from: whole.status, to: next.status } };
  const change = { findingId, version, at, by: table.actor, changes: moved, reason, scanTaskId: task.id };
  batch.write(historyWrite(table, change));
  return 'reopened';
}

/** The records of the chunk's entries for the scope's state. */
function sightings({ at }: Session, { known, ids }: Chunk): SeenRecord[] {
  return known.map(({ entry: { fingerprint, contentHash, tool, source = tool }, standing, seen }, line) => ({
    fingerprint,
    contentHash,
    tool: source,
    id: standing?.id ?? ids.get(line) ?? '',
    seenAt: Math.floor(Date.parse(at) / 1000),
    occurrences: (seen?.occurrences ?? standing?.occurrences ?? 0) + 1,
  }));
}
