import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import {
  type RemediationProgress,
  type RemediationStatus,
  remediations,
  type StoredRemediation,
} from './remediation.ts';

/** A list row names so many. */
const MAX_OF_FINDING = 10;

/** The change that links a finding to a remediation or unlinks it; undefined where nothing changes. @throws conflict */
export function linkChanges(
  { remediationIds = [] }: Pick<StoredFinding, 'remediationIds'>,
  id: string,
  isWanted: boolean,
): Pick<Partial<StoredFinding>, 'remediationIds'> | undefined {
  if (remediationIds.includes(id) === isWanted) return undefined;
  const next = isWanted ? [...remediationIds, id] : remediationIds.filter((one) => one !== id);
  if (next.length > MAX_OF_FINDING) throw fixedLimit('A finding', MAX_OF_FINDING, 'remediations', 'leave one first');
  return { remediationIds: next.length > 0 ? next : undefined };
}

/** @throws validation_failed */
export async function assertRemediation(table: Table, id: string, path: string): Promise<void> {
  if (!(await table.find(remediations, id, true))) throw invalid(path, 'must be the id of a remediation');
}

/** The progress of the findings: from counters that change with them, or of the part that the caller sees. */
export async function progressOf(table: Table, id: string): Promise<RemediationProgress> {
  if (table.part) return seenProgress(table, id);
  const { n: total = 0, f: fixed = 0, s: fixedByScan = 0 } = await table.tally(findings, 'remediation', id, true);
  return { total, fixed, fixedByScan };
}

async function seenProgress(table: Table, id: string): Promise<RemediationProgress> {
  const linked = { paginateFrom: 0, paginateSize: 0, where: { remediationId: id } };
  const [{ totalCount: total }, fixed] = await Promise.all([
    table.list(findings, linked),
    recordsOf(table, findings, { where: { remediationId: id, status: 'fixed' } }),
  ]);
  return { total, fixed: fixed.length, fixedByScan: fixed.filter(({ fixedByTaskId }) => fixedByTaskId).length };
}

/** The status by the findings: only scans verify, and a finding that returns takes that back. */
export function settledStatus(
  status: RemediationStatus,
  { total, fixedByScan }: RemediationProgress,
): RemediationStatus {
  const isProven = total > 0 && fixedByScan === total;
  if (status === 'done' && isProven) return 'verified';
  return status === 'verified' && !isProven ? 'in_progress' : status;
}

const CHECK_SECONDS = 3_600;

/** The next check of a done or verified remediation; an existing time stays. */
export const nextCheck = ({ status, checkAt }: Pick<StoredRemediation, 'status' | 'checkAt'>): string | undefined =>
  status === 'done' || status === 'verified' ? (checkAt ?? inSeconds(CHECK_SECONDS)) : undefined;

/** Changes a remediation together with the time at which the service looks at it next. */
export function changeRemediation(
  { table, batch }: { table: Table; batch: Batch },
  current: StoredRemediation,
  { isChecked = false, ...changes }: Partial<StoredRemediation> & { isChecked?: boolean },
): StoredRemediation {
  const { status } = { ...current, ...changes };
  const checkAt = nextCheck({ status, checkAt: isChecked ? undefined : current.checkAt });
  const after = batch.update(remediations, current, table.changed(current, { ...changes, checkAt }));
  batch.write(...checkWrites(table, current, after));
  return after;
}

type Checked = Pick<StoredRemediation, 'id' | 'checkAt'>;

/** Moves the timer of the next look: for the transaction that changes or deletes the remediation. */
export const checkWrites = ({ organizationId }: Table, before: Checked, after: Partial<Checked>): Write[] =>
  moveTimer({ kind: 'remediation', organizationId, id: before.id }, timeOf(before), timeOf(after));

const timeOf = ({ checkAt }: Partial<Checked>): number | undefined => (checkAt ? Date.parse(checkAt) : undefined);
