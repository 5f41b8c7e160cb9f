import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Merge } from '#shared/exposure/asset-actions/merge.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision, Place } from '#shared/findings/bulk/decision.ts';
import { readUndoable, type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { acceptanceWrites } from '#shared/findings/triage/acceptance.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { DECISION_FIELDS } from './merge-findings.ts';
import { returnBranches } from './move-branches.ts';

const Input = Merge.extend({ undoes: z.uuid() });

type Known = Undoable & { other?: StoredFinding };

/**
 * Separates the findings of two assets that were merged: each finding returns to its asset, and each merged pair
 * becomes two findings again.
 */
export async function undoMerge(work: Work): Promise<Record<string, unknown> | undefined> {
  const { table } = work;
  const { undoes, intoId } = Input.parse(work.task.input);
  let known = new Map<string, Known>();
  const result = await changeMany(work, {
    async select() {
      await returnBranches(table, undoes);
      return (await readUndoable(table, undoes)).map(({ id }) => ordinalOf(id));
    },
    async prepare(_found, part) {
      known = await knownIn(work, undoes, part);
    },
    decide: (finding) => undone(finding, known.get(finding.id), { undoes, intoId }),
    whole: true,
  });
  if (!result) return undefined;
  const { returned = 0, parted = 0 } = Object(result.kinds);
  return { findings: result.matched, returned, parted };
}

async function knownIn(
  { table }: Work,
  undoes: string,
  part: { from: number; to: number },
): Promise<Map<string, Known>> {
  const changes = await readUndoable(table, undoes, part);
  const ordinals = changes.flatMap(({ removed }) => (removed === undefined ? [] : ordinalOf(removed)));
  const others = await wholeRecordsAt(table, mergedFindings, { ordinals, consistent: true });
  const byId = new Map(others.map((finding) => [finding.id, finding]));
  return new Map(changes.map((change) => [change.id, { ...change, other: byId.get(change.removed ?? '') }]));
}

/** Fields that return with the merge, even when they changed since. */
const OWN = ['asset', 'formerFingerprints', 'mergedSightings', 'scope'];

type Undone = { undoes: string; intoId: string };

function undone(finding: FindingRow, change: Known | undefined, { undoes, intoId }: Undone): Decision {
  if (!change) throw new Error(`finding ${finding.id} is selected, and nothing of it is to be undone`);
  const { from, to, removed, other } = change;
  if (removed === undefined ? finding.asset.id !== intoId : !other) return undefined;
  const isSame = (name: string) => isDeepStrictEqual(Reflect.get(finding, name) ?? null, to[name] ?? null);
  const decision: readonly string[] = DECISION_FIELDS;
  // the fields of one decision return together, or none of them
  const isDecided = !decision.every(isSame);
  const isMine = (name: string) => OWN.includes(name) || (decision.includes(name) ? !isDecided : isSame(name));
  const former = Object.entries(from).filter(([name]) => isMine(name));
  const back: Partial<StoredFinding> = Object.fromEntries(former.map(([name, value]) => [name, value ?? undefined]));
  const changes = other ? { ...back, mergedFrom: withoutThose(finding.mergedFrom, other) } : back;
  const reason = `The merge ${undoes} of two assets was undone.`;
  if (!other) return { changes, reason, kind: 'returned' };
  return { several: (place) => partFindings(place, { finding, changes, reason, other }), kind: 'parted' };
}

type Merged = StoredFinding['mergedFrom'];

/** A finding that came with another one goes with it again. */
function withoutThose(all: Merged = [], { id, mergedFrom = [] }: StoredFinding): Merged {
  const gone = new Set([id, ...mergedFrom.map((one) => one.id)]);
  const left = all.filter((one) => !gone.has(one.id));
  return left.length > 0 ? left : undefined;
}

/** The findings that came with another one, with the files that they have now. */
function withThose(all: Merged = [], { mergedFrom }: StoredFinding): Merged {
  const current = new Map(all.map((one) => [one.id, one]));
  return mergedFrom?.map((one) => current.get(one.id) ?? one);
}

type Parting = { finding: FindingRow; changes: Partial<StoredFinding>; reason: string; other: StoredFinding };

function partFindings(place: Place, { finding, changes, reason, other }: Parting): Undoable {
  const { table, batch, entity, at, taskId } = place;
  changeFinding({ table, batch, entity }, finding, { changes, at, reason, taskId });
  batch.delete(mergedFindings, other);
  const mergedFrom = withThose(finding.mergedFrom, other);
  const back = batch.create(entity, table.changed<StoredFinding, never>(other, { mergedInto: undefined, mergedFrom }));
  batch.write(...acceptanceWrites(table, { ...back, status: 'open' }, back));
  return undoable(finding, changes);
}
