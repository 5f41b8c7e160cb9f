import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '#shared/platform/table/batch.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { evidenceEnds } from '../evidence/evidence.ts';
import { findings, type StoredFinding } from '../finding/finding.ts';
import { findingFields } from '../finding/finding-fields.ts';
import { ratingOf } from '../sla/rating.ts';
import type { FindingDetail, FindingRow } from '../view/view.ts';
import { acceptanceWrites } from './acceptance.ts';
import { historyWrite } from './history.ts';

/** A decided change of a finding, and its history entry. */
type FindingUpdate = {
  changes: Partial<StoredFinding>;
  at: string;
  reason?: string | undefined;
  /** The task that changes many findings at once. */
  taskId?: string;
  /** The vulnerabilities whose decision the change follows. */
  vulnerabilityIds?: string[] | undefined;
};

/** `entity`: the finding's collection; default: findings of default branches. */
type Place = { table: Table; batch: Batch; entity?: typeof findings };

/** Changes a finding together with everything that follows from the change: its history and the end of its acceptance. */
export function changeFinding(
  { table, batch, entity = findings }: Place,
  current: StoredFinding | FindingRow,
  { changes, at, reason, taskId, vulnerabilityIds }: FindingUpdate,
): StoredFinding {
  const rating = ratingOf({ ...current, ...changes }, at);
  const next = batch.update<StoredFinding, FindingDetail>(
    entity,
    current,
    table.changed<StoredFinding, FindingDetail>(current, { ...changes, ...rating }),
  );
  batch.write(...acceptanceWrites(table, current, next));
  const differences = differencesOf(current, next);
  const { id: findingId, version } = next;
  const origin = { taskId, vulnerabilityIds };
  const by = table.actor;
  if (Object.keys(differences).length > 0)
    batch.write(historyWrite(table, { ...origin, findingId, version, at, by, changes: differences, reason }));
  return next;
}

/**
 * Deletes a finding with its long fields, which include its fingerprint. The end of its acceptance and its files are
 * deleted too.
 */
export function deleteFinding({ table, batch, entity = findings }: Place, finding: StoredFinding | FindingRow): void {
  batch.delete<StoredFinding, FindingDetail>(entity, finding);
  batch.write(...acceptanceWrites(table, finding, { ...finding, status: 'open' }), ...evidenceEnds(table, finding));
}

const IN_HISTORY = fieldsWhere(findingFields, 'history', true);

function differencesOf(before: FindingRow, after: FindingRow) {
  const changed = IN_HISTORY.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]));
}
