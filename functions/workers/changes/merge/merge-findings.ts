import type { Place } from '#shared/findings/bulk/decision.ts';
import { type Undoable, undoable } from '#shared/findings/bulk/undo-rows.ts';
import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { ownDecision } from '#shared/findings/finding/finding-decision.ts';
import { type FindingFields, findingFields } from '#shared/findings/finding/finding-fields.ts';
import { severityOfBoth } from '#shared/findings/finding/finding-severity.ts';
import { dueSince } from '#shared/findings/finding/finding-status.ts';
import { mergedFindings } from '#shared/findings/finding/merged-finding.ts';
import { fromAsset } from '#shared/findings/sla/rating.ts';
import { dueFields, isDueChosen, type Sla } from '#shared/findings/sla/sla-policies.ts';
import { acceptanceWrites } from '#shared/findings/triage/acceptance.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { type Seen, sightingsOf } from '#shared/findings/view/view.ts';
import { type FieldsWhere, fieldsWhere, pick } from '#shared/platform/table/field-table.ts';

/** Two findings of one problem, the last sighting of each, and the asset of the finding that stays. */
export type Twins = {
  older: StoredFinding;
  newer: StoredFinding;
  seen: ReadonlyMap<string, Seen>;
  asset: StoredFinding['asset'];
  sla: Sla;
};

/** The older one first. */
export const inOrder = (a: StoredFinding, b: StoredFinding): [StoredFinding, StoredFinding] =>
  a.firstSeenAt < b.firstSeenAt || (a.firstSeenAt === b.firstSeenAt && a.id < b.id) ? [a, b] : [b, a];

/** The older finding stays with both fingerprints; the other is kept as it is, for when the merge is undone. */
export function makeOne({ table, batch, entity, at, taskId }: Place, twins: Twins): Undoable {
  const { older, newer } = twins;
  const changes: Partial<StoredFinding> = changesOf(twins);
  // first, so that its fingerprint is free for the finding that stays
  batch.delete(entity, newer);
  batch.write(...acceptanceWrites(table, newer, { ...newer, status: 'open' }));
  batch.create(mergedFindings, table.changed(newer, { mergedInto: older.id }));
  const reason = `It was merged with the finding ${newer.id} of the same problem.`;
  changeFinding({ table, batch, entity }, older, { changes, at, reason, taskId });
  return { ...undoable(older, changes), removed: newer.id };
}

type Merged = Pick<StoredFinding, FieldsWhere<FindingFields, 'merge', 'decision' | 'union'>>;

function changesOf({ older, newer, seen, asset, sla }: Twins): Partial<Merged> {
  const deciding = decidingOf(older, newer);
  const other = deciding === older ? newer : older;
  const due = isDueChosen(older) || !isDueChosen(newer) ? {} : { dueAt: newer.dueAt, dueChosen: true };
  const decided = {
    asset,
    ...fromAsset(sla.assets.get(asset.id)),
    ...pick(deciding, DECISION_FIELDS),
    ...severityOfBoth(deciding, other),
  };
  const remediationIds = new Set([...(older.remediationIds ?? []), ...(newer.remediationIds ?? [])]);
  const dated = { ...older, ...decided };
  return {
    ...decided,
    scope: deciding.scope,
    reopenedCount: Math.max(older.reopenedCount, newer.reopenedCount),
    ...pick(assignedOf(deciding, other), ASSIGNEE_FIELDS),
    ...(remediationIds.size > 0 && { remediationIds: [...remediationIds] }),
    ...(!isDueChosen(older) && !isDueChosen(newer) ? dueFields(sla, dated, dueSince(dated)) : due),
    ...sightingFields({ older, newer, seen, deciding }),
    mergedFrom: [
      ...(older.mergedFrom ?? []),
      { id: newer.id, evidenceFiles: newer.evidenceFiles ?? 0 },
      ...(newer.mergedFrom ?? []),
    ],
    formerFingerprints: [
      ...new Set([...(older.formerFingerprints ?? []), newer.fingerprint, ...(newer.formerFingerprints ?? [])]),
    ],
  };
}

/**
 * The finding whose status stays: not the one that a scan closed when the other is open; otherwise the one with a
 * person's newest decision on it.
 */
function decidingOf(older: StoredFinding, newer: StoredFinding): StoredFinding {
  const isGone = ({ status, fixedByTaskId }: StoredFinding) => status === 'fixed' && fixedByTaskId !== undefined;
  if (isGone(older) !== isGone(newer)) return isGone(older) ? newer : older;
  const decidedAt = (finding: StoredFinding) => ownDecision(finding).decidedAt ?? '';
  return decidedAt(newer) > decidedAt(older) ? newer : older;
}

/** The finding whose assignee stays: the assignee of a finding's vulnerabilities yields to a person's choice. */
function assignedOf(deciding: StoredFinding, other: StoredFinding): StoredFinding {
  const isChosen = ({ assignee, assigneeFollows }: StoredFinding) => assignee !== undefined && !assigneeFollows;
  return isChosen(other) && !isChosen(deciding) ? other : deciding;
}

export const ASSIGNEE_FIELDS = ['assignee', 'assigneeFollows'] as const;

/** The status and the fields of its decision. */
export const DECISION_FIELDS = fieldsWhere(findingFields, 'merge', 'decision');

/**
 * The sightings of both findings. The finding whose scan scope goes on keeps its sightings there; the other sightings
 * are added.
 */
function sightingFields({
  older,
  newer,
  seen,
  deciding,
}: Pick<Twins, 'older' | 'newer' | 'seen'> & { deciding: StoredFinding }) {
  const [own, added] = [older, newer].map((one) => sightingsOf(one, seen.get(one.id)));
  if (!own || !added) throw new Error('two findings have two sightings');
  if (deciding === newer) {
    const occurrences = own.occurrences + added.occurrences - 1;
    const lastSeenAt = own.lastSeenAt > added.lastSeenAt ? own.lastSeenAt : added.lastSeenAt;
    return { lastSeenAt: undefined, occurrences: 1, mergedSightings: { lastSeenAt, occurrences } };
  }
  const before = older.mergedSightings ?? { lastSeenAt: '', occurrences: 0 };
  const lastSeenAt = before.lastSeenAt > added.lastSeenAt ? before.lastSeenAt : added.lastSeenAt;
  return { mergedSightings: { lastSeenAt, occurrences: before.occurrences + added.occurrences } };
}
