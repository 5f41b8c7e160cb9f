import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Merge } from '#shared/exposure/asset-actions/merge.ts';
import { changeMany } from '#shared/findings/bulk/change-many.ts';
import type { Decision, Place } from '#shared/findings/bulk/decision.ts';
import { readUndoable, type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { withoutFollowed } from '#shared/findings/finding/finding-decision.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { acceptanceWrites } from '#shared/findings/triage/acceptance.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import { wholeRecordsAt } from '#shared/platform/table/selected.ts';
import { ASSIGNEE_FIELDS, DECISION_FIELDS } from './merge-findings.ts';
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
      if (!work.preview) await returnBranches(table, undoes);
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

type Undone = { undoes: string; intoId: string };

function undone(finding: FindingRow, change: Known | undefined, { undoes, intoId }: Undone): Decision {
  if (!change) throw new Error(`finding ${finding.id} is selected, and nothing of it is to be undone`);
  const { removed, other } = change;
  if (removed === undefined ? finding.asset.id !== intoId : !other) return undefined;
  const back = formerFields(finding, change);
  const changes = other ? { ...back, mergedFrom: withoutThose(finding.mergedFrom, other) } : back;
  const reason = `The merge ${undoes} of two assets was undone.`;
  if (!other) return { changes, reason, kind: 'returned' };
  return { several: (place) => partFindings(place, { finding, changes, reason, other }), kind: 'parted' };
}

/** Fields that return with the merge, even when they changed since. */
const OWN: readonly string[] = ['asset', 'formerFingerprints', 'mergedSightings', 'scope'];

/** The end of an acceptance, from which the due date counts: the two stay, or return, together. */
const DATED: keyof StoredFinding = 'slaFrom';
const DECISION: readonly string[] = DECISION_FIELDS.filter((name) => name !== DATED);
const ASSIGNEE: readonly string[] = ASSIGNEE_FIELDS;

/**
 * The former values of the fields that are as the merge made them. The fields of one decision return together, or none
 * of them does. A decision on vulnerabilities that the finding follows since does not count: it follows such a decision
 * by itself, on either asset.
 */
function formerFields(finding: FindingRow, { from, to }: Undoable): Partial<StoredFinding> {
  const [current, made] = [withoutFollowed(finding), withoutFollowed(storedValues(to))];
  const isSame = (name: string) => isDeepStrictEqual(Reflect.get(current, name), Reflect.get(made, name));
  const isUndecided = DECISION.filter((name) => name !== 'acknowledgedAt').every(isSame);
  const isMine = (name: string) => {
    if (DECISION.includes(name)) return isUndecided;
    return OWN.includes(name) || (ASSIGNEE.includes(name) ? ASSIGNEE.every(isSame) : isSame(name));
  };
  return storedValues(Object.fromEntries(Object.entries(from).filter(([name]) => isMine(name))));
}

const storedValues = (values: Undoable['from']): Partial<StoredFinding> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? undefined]));

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
