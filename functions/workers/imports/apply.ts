import { setImmediate } from 'node:timers/promises';
import { assetKey } from '#shared/assets/asset/asset.ts';
import { branchFindings } from '#shared/findings/branches/branch-finding.ts';
import { ensureAssets } from '#shared/findings/finding/assets.ts';
import type { findings, StoredFinding } from '#shared/findings/finding/finding.ts';
import { isOpen, isOpenItself } from '#shared/findings/finding/finding-status.ts';
import { ratingOf } from '#shared/findings/sla/rating.ts';
import { learnForDates, learnTraits } from '#shared/findings/sla/sla-policies.ts';
import { suppressionWrite } from '#shared/findings/suppression/new-findings.ts';
import { historyWrite } from '#shared/findings/triage/history.ts';
import { packState, type SeenRecord } from '#shared/findings/view/scan-state.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { mayChange, mutedChanges, sightingChanges } from './changes.ts';
import type { Change, Chunk } from './chunk.ts';
import { type Entry, findingDraft, wholeEntry } from './entry.ts';
import { exploitedOf } from './exploited.ts';
import { isOnAsset, lookUp } from './lookup.ts';
import { merge, renamed } from './merged.ts';
import { noteKnown } from './note-known.ts';
import type { Accepted, KnownEntry, LookedUp, Read } from './phases.ts';
import { CHECKPOINT_ROWS, type Checkpoint, commitTo, endChunk, oneMore } from './progress.ts';
import { type KnownFinding, packRows } from './remembered.ts';
import { idsForNew, isNew } from './reserved.ts';
import { commitsBehind } from './slicer.ts';
import { afterUpgrade, settleLater } from './stated/later.ts';
import { suppressorOf } from './suppress-new.ts';
import { keepTally, type Reported } from './tally.ts';

/**
 * Applies the chunk at the checkpoint, batch by batch; after a crash the work goes on at the batch that was not
 * committed. When someone else wrote the same findings in between, the known findings are read again.
 */
export async function applyChunk(read: Read, { entries, known }: LookedUp): Promise<void> {
  await retry(async (attempt) => {
    const now = attempt === 1 ? known : await lookUp(read, { entries, consistent: true });
    await applyEntries(read, await prepare(read, now));
  }, isConflict);
}

async function prepare(read: Read, known: KnownEntry[]): Promise<Chunk> {
  const { table, at, taskId, learned } = read;
  const first = read.progress.checkpoint.line;
  const left = known.slice(first);
  const created = left.filter((one) => isNew(one) || one.merged);
  const changed = left.filter(
    ({ entry, current, seen, isRenamed }) => current && (isRenamed || mayChange(current, { entry, seen, at })),
  );
  const merged = left.flatMap((one) => one.merged?.id ?? []);
  const ids = await idsForNew(read, known);
  const [assets, whole, onBranches] = await Promise.all([
    ensureAssets(
      table,
      created.map(({ entry }) => entry.asset),
      { at, known: learned.assets, importId: taskId, toolsOf: toolsIn(created) },
    ),
    readWhole(
      table,
      read.entity,
      changed.flatMap(({ current }) => current?.id ?? []),
    ),
    readWhole(table, branchFindings, merged),
  ]);
  const onAssets = [...assets.values()].map((asset) => ({ asset }));
  await learnTraits(table, learned.sla, onAssets);
  await learnForDates(table, learned.sla, [...whole.values(), ...onBranches.values()]);
  const suppress = created.length > 0 ? await suppressorOf(read, assets.values()) : () => undefined;
  const exploited = await exploitedOf(
    read,
    [...created, ...changed].map(({ entry }) => wholeEntry(entry)),
  );
  const stated = [...whole.values()].filter(({ suppressedBy }) => suppressedBy?.document);
  const judged = [...created.map(({ entry }) => wholeEntry(entry).finding), ...stated];
  const settle = await settleLater(read, judged);
  return { known, ids, assets, exploited, suppress, settle, whole, merged: onBranches };
}

/** The tools whose entries name the asset of a key. */
function toolsIn(created: readonly KnownEntry[]): (key: string) => readonly string[] {
  const byKey = Map.groupBy(created, ({ entry }) => assetKey(entry.asset));
  return (key) => [...new Set(byKey.get(key)?.map(({ entry }) => entry.tool))];
}

export async function readWhole(table: Table, entity: typeof findings, ids: readonly string[]) {
  const found = await wholeRecordsAt(table, entity, { ordinals: ids.map(ordinalOf), consistent: true });
  return new Map(found.map((finding) => [finding.id, finding]));
}

/** Applies the lines from the checkpoint on, and moves it to the next chunk. */
async function applyEntries(read: Read, chunk: Chunk): Promise<void> {
  await noteKnown(read, chunk);
  const { connections, files, progress } = read;
  const { chunk: number, line } = progress.checkpoint;
  const before = chunk.known.slice(0, line).map(({ current, base }) => ({ finding: current, base }));
  const { batch, end, reported } = await applyLines(read, chunk, line);
  const all = [...before, ...reported];
  const left = { entity: read.entity.name, since: await (await read.earlier.changed()).position() };
  await Promise.all([
    connections.bucket.put(files.seen(number), packState(sightings(read, chunk))),
    connections.bucket.put(files.rows(number), packRows(left, rowsToRemember(chunk, all))),
    keepTally(read, all),
  ]);
  await endChunk(read, batch, { ...end, chunk: number + 1, line: 0, reserved: undefined });
}

/** Commits the lines in batches. @returns the last batch, which is not committed yet, and the checkpoint behind it */
async function applyLines(read: Read, chunk: Chunk, first: number) {
  const { table, progress } = read;
  const commits = commitsBehind((batch: Batch, checkpoint: Checkpoint) => commitTo(read, batch, checkpoint));
  let batch = table.batch(true);
  let end = { comparedWith: read.scopeRow.stateKey ?? '', ...progress.checkpoint };
  const reported: Reported[] = [];
  for (const [n, known] of chunk.known.slice(first).entries()) {
    const line = first + n;
    if (line % ENTRIES_A_TURN === 0) await setImmediate();
    const { counts, severity, write, after } = changeOf(read, chunk, { known, line });
    reported.push({ finding: after, base: known.base });
    if (write && !batch.takes(write, CHECKPOINT_ROWS)) {
      await commits.add(batch, { ...end, line });
      batch = batch.next(CHECKPOINT_ROWS);
    }
    const wasOpen = known.seen && known.current && isOpenItself(known.current);
    end = {
      ...end,
      counts: { ...end.counts, [counts]: end.counts[counts] + 1 },
      severities: severity ? oneMore(end.severities, counts, severity) : end.severities,
      openBefore: end.openBefore + (wasOpen ? 1 : 0),
    };
  }
  await commits.end();
  return { batch, end, reported };
}

/** After so many entries the making of a batch lets answers in, so that the next commit leaves when one is done. */
const ENTRIES_A_TURN = 8;

const unchanged = (after: KnownFinding | undefined): Change => ({ counts: 'unchanged', after });

function changeOf(read: Read, chunk: Chunk, { known, line }: { known: KnownEntry; line: number }): Change {
  const { entry, current, seen, base, merged, isRenamed } = known;
  if (base) return unchanged(base);
  if (merged) return merge(read, chunk, { entry: wholeEntry(entry), merged });
  if (!current) return creation(read, chunk, { entry: wholeEntry(entry), line });
  const whole = chunk.whole.get(current.id);
  if (!whole) return unchanged(current);
  const { exploited } = chunk;
  const scan = read.submission;
  const sighting = { ...read, ...read.learned, entry: wholeEntry(entry), seen, exploited, scan };
  const said = afterUpgrade(whole, sightingChanges(whole, sighting), { ...chunk, at: read.at });
  const changes = isRenamed ? { ...said, ...renamed(read, sighting.entry, whole) } : said;
  return changes ? update(read, whole, changes) : unchanged(current);
}

function creation(read: Read, chunk: Chunk, { entry, line }: { entry: Entry; line: number }): Change {
  const { table, submission, taskId, at, progress } = read;
  const id = chunk.ids.get(line);
  const asset = chunk.assets.get(assetKey(entry.asset));
  if (!id || !asset) throw new Error(`line ${line} of chunk ${progress.checkpoint.chunk} has no identity`);
  const draft = findingDraft(entry, { ...read, ...read.learned, ...chunk, id, asset, scan: submission });
  const muted = () => mutedChanges(draft, { ...read, ...read.learned, entry });
  const changes = chunk.suppress(draft) ?? chunk.settle(draft)?.changes ?? muted();
  const after = table.stamp<StoredFinding>(changes ? { ...draft, ...changes } : draft);
  const write = (batch: Batch) => {
    batch.create(read.entity, after);
    if (changes)
      batch.write(suppressionWrite(table, { findingId: id, from: draft.status, changes }, { at, scanTaskId: taskId }));
  };
  return { counts: 'created', severity: draft.severity, write, after };
}

export function update(
  { table, taskId, at, entity }: Accepted,
  whole: StoredFinding,
  changes: Partial<StoredFinding>,
): Change {
  const moved = changes.status !== undefined;
  const after = table.changed(whole, { ...changes, ...ratingOf({ ...whole, ...changes }, at) });
  const write = (batch: Batch) => {
    const next = batch.update(entity, whole, after);
    if (!moved) return;
    const { id: findingId, version, statusReason: reason } = next;
    const change = { findingId, version, at, by: table.actor, reason, scanTaskId: taskId };
    batch.write(historyWrite(table, { ...change, changes: { status: { from: whole.status, to: next.status } } }));
  };
  const says = changes.contentHash === undefined ? 'unchanged' : 'updated';
  const isReopened = moved && isOpen(after.status);
  return { counts: isReopened ? 'reopened' : says, write, after, ...(isReopened && { severity: after.severity }) };
}

/** The rows of the findings as they are after the chunk, for the next scan of the scope. */
const rowsToRemember = ({ known }: Chunk, reported: readonly Reported[]) =>
  known.flatMap(({ entry, base, isRenamed }, line) => {
    const finding = reported[line]?.finding;
    if (!finding || base || isRenamed || !isOnAsset(finding, entry)) return [];
    return [[entry.fingerprint, { ...finding, isRepeated: entry.isRepeated }] as const];
  });

/** The records of the chunk's entries for the scope's state. */
function sightings({ at }: Read, { known, ids }: Chunk): SeenRecord[] {
  return known.flatMap(
    ({ entry: { fingerprint, contentHash, tool, source = tool }, current, seen, merged, base }, line) => {
      if (base) return [];
      const id = current?.id ?? merged?.id ?? ids.get(line) ?? '';
      const occurrences = (seen?.occurrences ?? current?.occurrences ?? 0) + 1;
      return [{ fingerprint, contentHash, tool: source, id, seenAt: Date.parse(at), occurrences }];
    },
  );
}
