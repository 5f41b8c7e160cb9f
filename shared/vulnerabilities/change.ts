import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Person } from '../entities/person.ts';
import { StoredVulnerability, TREATMENTS, VULNERABILITY_STATUSES, vulnerabilities } from '../entities/vulnerability.ts';
import type { Changing } from '../findings/many/slices.ts';
import { type Undoable, undoable } from '../findings/many/undo-rows.ts';
import { Timestamp } from '../http/records.ts';
import { now } from '../runtime/clock.ts';
import { acceptanceWrites, decide } from './decide.ts';
import { decidedFields } from './fold.ts';

export const assigneeId = z.string().min(1).max(120).nullish().meta({ description: 'a service account, or yourself' });

/** Fields of a decision, as requests send them. */
export const decisionFields = {
  reason: z.string().min(1).max(300).nullish().meta({ description: 'why; becomes `statusReason`' }),
  acceptedUntil: Timestamp.nullish().meta({ description: 'of an accepted risk; then the vulnerability is open again' }),
  treatment: z.enum(TREATMENTS).nullish().meta({ description: 'of an accepted risk; `accept` unless it is named' }),
  restartSla: z
    .boolean()
    .nullish()
    .meta({ description: 'of an accepted risk: when the acceptance ends, due dates count from its end' }),
};

/** A decision on vulnerabilities as its task keeps it, with the people whom it names. */
export const StoredDecision = z.object({
  changes: z.object({ status: z.enum(VULNERABILITY_STATUSES).optional(), ...decisionFields }),
  /** Absent: assignees stay. */
  assignee: Person.nullish(),
  /** Absent: no risk can be accepted. */
  approver: Person.optional(),
});
export type StoredDecision = z.infer<typeof StoredDecision>;

const { decision, assignee } = StoredVulnerability.shape;
const Before = z.object({ decision: decision.nullable(), assignee: assignee.nullable() });

/**
 * The changes that a request makes to a vulnerability; undefined where it is so already.
 * @throws conflict, validation_failed
 */
export function decidedChanges(
  standing: StoredVulnerability,
  { changes, assignee, approver }: StoredDecision,
): Partial<StoredVulnerability> | undefined {
  const next = {
    ...decide(standing, changes, { at: now(), approver }),
    ...(assignee !== undefined && { assignee: assignee ?? undefined }),
  };
  const isSame = isDeepStrictEqual(
    [next.decision, next.assignee ?? standing.assignee],
    [standing.decision, standing.assignee],
  );
  return isSame && (assignee !== null || standing.assignee === undefined) ? undefined : next;
}

/** The changes that bring a vulnerability back to a decision and an assignee of before. An acceptance may have ended meanwhile. */
export function restoredChanges(standing: StoredVulnerability, from: Undoable['from']): Partial<StoredVulnerability> {
  const { decision: before, assignee } = Before.parse(from);
  const decision = before?.until && before.until <= now() ? undefined : (before ?? undefined);
  const facts = standing.said.map(([one]) => one);
  return { ...decidedFields(facts, decision), assignee: assignee ?? undefined };
}

/** Changes a vulnerability with the timer of its acceptance. @returns what may be undone */
export function changeVulnerability(
  { table, batch, taskId }: Omit<Changing, 'at'>,
  standing: StoredVulnerability,
  changes: Partial<StoredVulnerability>,
): { next: StoredVulnerability; undo: Undoable } {
  const next = batch.update(vulnerabilities, standing, table.changed(standing, { ...changes, taskId }));
  batch.write(...acceptanceWrites(table, standing, next));
  const { decision, assignee } = next;
  return { next, undo: undoable<StoredVulnerability>(standing, { decision, assignee }) };
}
