import { changeFinding } from '#shared/findings/triage/change.ts';
import { findingsAt } from '#shared/findings/view/find.ts';
import { chunksOf } from '#shared/platform/runtime/chunks.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { Applied } from '../phases.ts';
import { CHECKPOINT_ROWS, commitTo, NOTHING_STATED, type StatedCount } from '../progress.ts';
import type { Slice } from '../slicer.ts';
import { decideStated, type Stated } from './decide.ts';
import { loadStatements, storeDocument } from './document.ts';
import { type Selected, STATED_COLLECTIONS, select } from './select.ts';
import { prepared, verdictOn } from './verdict.ts';

/** Findings that are read and decided on together. */
const TOGETHER = 50;

/**
 * Applies the statements of a VEX document to the findings that they name, and takes back the decisions of its former
 * version that it no longer makes. Only a person or an API key sends such a document: a machine decides on no finding. A
 * range of addresses is no product.
 */
export async function settleStated(applied: Applied, slice: Slice): Promise<Applied | undefined> {
  const { manifest, submission, progress, connections, files, table } = applied;
  const { source, target } = submission;
  if (!manifest.document || source !== 'import' || target?.type === 'cidr') return applied;
  const statements = await loadStatements(applied);
  const document = await storeDocument(applied, manifest.document, statements);
  if (!document) return { ...applied, isOutdated: true };
  await connections.bucket.put(files.statedBy, JSON.stringify(document.id));
  const selected = await select(applied, document, prepared(statements));
  const { below } = progress.checkpoint.stated ?? NOTHING_STATED;
  const parts = chunksOf(
    selected.ordinals.filter((ordinal) => ordinal < below),
    TOGETHER,
  );
  for (const [n, some] of parts.entries()) {
    if (n > 0 && (await slice.isOver())) return undefined;
    await retry(() => settleSome(applied, selected, some), isConflict);
  }
  for (const entity of STATED_COLLECTIONS) await table.workJournal(entity);
  return { ...applied, isKept: document.isKept };
}

/** The changes are by the sender; the author of the document is in the finding (`suppressedBy`). */
const asSender = ({ table, connections, progress: { task } }: Applied): Table =>
  openTable(connections.dynamo, table.organizationId, { ...(task.createdBy ?? systemActor), cause: table.cause });

/** Decides on findings from the highest ordinal down; after a conflict it goes on behind those that were committed. */
async function settleSome(applied: Applied, selected: Selected, some: readonly number[]): Promise<void> {
  const { progress, taskId } = applied;
  const table = asSender(applied);
  const at = now();
  let stated = progress.checkpoint.stated ?? NOTHING_STATED;
  const ordinals = some.filter((ordinal) => ordinal < stated.below);
  const found = await findingsAt(
    ordinals,
    (entity, part) => wholeRecordsAt(table, entity, { ordinals: part, consistent: true }),
    STATED_COLLECTIONS,
  );
  let batch = table.batch(true);
  for (const ordinal of ordinals) {
    const { finding, entity } = found.get(ordinal) ?? {};
    const isTarget = finding !== undefined && finding.asset.id === selected.targetId;
    const verdict = finding && verdictOn(selected.statements, finding, isTarget);
    const { outcome, changes } = (finding && decideStated(selected.document, finding, { verdict, at })) ?? {};
    if (finding && changes) {
      const update = { changes, at, reason: changes.statusReason, taskId };
      const write = (to: Batch) => changeFinding({ table, batch: to, entity }, finding, update);
      if (!batch.takes(write, CHECKPOINT_ROWS)) {
        await commitTo(applied, batch, { ...progress.checkpoint, stated });
        batch = batch.next(CHECKPOINT_ROWS);
      }
    }
    const named = stated.named + (verdict ? 1 : 0);
    stated = { ...counted(stated, outcome), named, below: ordinal };
  }
  await commitTo(applied, batch, { ...progress.checkpoint, stated });
}

function counted(count: StatedCount, outcome: Stated['outcome'] | undefined): StatedCount {
  return outcome === undefined || outcome === 'open' ? count : { ...count, [outcome]: count[outcome] + 1 };
}
