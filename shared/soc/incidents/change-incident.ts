import { isDeepStrictEqual } from 'node:util';
import { assertMove } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { incidentMoves, moveIncident } from '../alerts/soc-status.ts';
import { entryWrite } from '../alerts/timeline.ts';
import { incidents, type StoredIncident } from './incident.ts';

type Circumstances = { at: string; assignee: StoredIncident['assignee'] | undefined };

/**
 * The changes that a person's decision makes to an incident. The first assignee or move acknowledges it.
 * @throws conflict for a status that cannot follow
 */
export function decideIncident(
  current: StoredIncident,
  wanted: Partial<StoredIncident>,
  { at, assignee = null }: Circumstances,
): Partial<StoredIncident> {
  const { status: to = current.status, assigneeId } = wanted;
  if (to !== current.status) assertMove(incidentMoves, { name: 'An incident', from: current.status, to });
  return {
    ...wanted,
    ...(assigneeId && { acknowledgedAt: current.acknowledgedAt ?? at }),
    ...(to !== current.status && moveIncident({ ...current, ...wanted, status: current.status }, to, at)),
    ...(assigneeId !== undefined && { assignee: assigneeId ? assignee : null }),
  };
}

/** The fields whose changes the timeline shows. */
const KEPT = ['title', 'severity', 'status', 'assignee', 'memberIds', 'detectedAt', 'summary', 'lessons'] as const;

type IncidentUpdate = { changes: Partial<StoredIncident>; at: string; reason?: string | undefined; taskId?: string };

/** Changes an incident together with its timeline. */
export function changeIncident(
  { table, batch }: { table: Table; batch: Batch },
  current: StoredIncident,
  { changes, at, reason, taskId }: IncidentUpdate,
): StoredIncident {
  const next = batch.update(incidents, current, table.changed(current, changes));
  const names = KEPT.filter((name) => !isDeepStrictEqual(current[name], next[name]));
  const changed = names.map((name) => [name, { from: current[name], to: next[name] }] as const);
  if (changed.length > 0)
    batch.write(
      entryWrite(table, next.id, { at, text: reason, taskId, kind: 'changed', changes: Object.fromEntries(changed) }),
    );
  return next;
}
