import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Person } from '#shared/credentials/person.ts';
import { Id } from '#shared/platform/http/records.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Finding } from '../finding/finding.ts';
import { FINDING_STATUSES } from '../finding/finding-status.ts';
import { learnForDates, readSla, type Sla } from '../sla/sla-policies.ts';
import { linkChanges } from '../triage/remediations.ts';
import { tagsAfter } from '../triage/tags.ts';
import { type Triage, triage } from '../triage/triage.ts';
import type { FindingRow } from '../view/view.ts';
import type { Deciding, Decision } from './decision.ts';

const { severity, tags, assigneeId, dueAt, acceptedUntil, restartSla, statusReason } = Finding.shape;

/** The changes that one request may make to many findings. */
export const BulkChanges = z
  .strictObject({
    status: z.enum(FINDING_STATUSES),
    severity,
    assigneeId,
    tags: tags.meta({ description: 'replaces all tags' }),
    addTags: tags,
    removeTags: tags,
    dueAt,
    acceptedUntil,
    restartSla,
    statusReason,
    addRemediationId: Id.meta({ description: 'links the findings to this remediation' }),
    removeRemediationId: Id,
  })
  .partial();

/** A stored change of many findings, with the people that it names. */
export const StoredBulk = z.object({
  changes: BulkChanges,
  reason: z.string().optional(),
  assignee: Person.optional(),
  /** Absent: no risk can be accepted. */
  approver: Person.optional(),
});
export type StoredBulk = z.infer<typeof StoredBulk>;

export async function bulkDeciding(table: Table, bulk: StoredBulk): Promise<Deciding> {
  const sla = await readSla(table);
  return {
    prepare: (found) => learnForDates(table, sla, found),
    decide: (finding) => decideBulk(bulk, sla, finding),
  };
}

/**
 * The decision of one request on one of its findings; the same as a PATCH of this finding.
 * @throws conflict for an invalid move of the status, validation_failed for values that do not fit the finding
 */
function decideBulk({ changes, reason, assignee, approver }: StoredBulk, sla: Sla, finding: FindingRow): Decision {
  const { addRemediationId, removeRemediationId, ...others } = changes;
  const wanted = differences(others, finding);
  const linked = addRemediationId ? linkChanges(finding, addRemediationId, true) : undefined;
  const links = {
    ...linked,
    ...(removeRemediationId && linkChanges({ ...finding, ...linked }, removeRemediationId, false)),
  };
  if (Object.keys(wanted).length === 0) return Object.keys(links).length > 0 ? { changes: links, reason } : undefined;
  const namesStatus = changes.status !== undefined;
  const around = { at: now(), reason, assignee: wanted.assigneeId ? assignee : undefined, namesStatus, approver, sla };
  return {
    changes: { ...triage(finding, wanted, around), ...links },
    reason: reason ?? wanted.statusReason ?? undefined,
  };
}

type Decided = Omit<StoredBulk['changes'], 'addRemediationId' | 'removeRemediationId'>;

/** The wanted values that the finding does not have yet. */
function differences({ addTags, removeTags, ...wanted }: Decided, finding: FindingRow): Triage {
  const { status, severity, assignee, dueAt = null, acceptedUntil = null, statusReason = null } = finding;
  const { restartSla = false } = finding;
  const accepted = { acceptedUntil, restartSla };
  const current = { status, severity, dueAt, ...accepted, statusReason, assigneeId: assignee?.id ?? null };
  const next = { ...wanted, ...((addTags || removeTags) && { tags: tagsAfter(finding, { addTags, removeTags }) }) };
  const all: Record<string, unknown> = { ...current, tags: finding.tags };
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => !isDeepStrictEqual(all[name], value)));
}
