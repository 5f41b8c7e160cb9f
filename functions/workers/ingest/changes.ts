import type { StoredFinding } from '#shared/entities/finding.ts';
import { canMove, moveStatus, openSince } from '#shared/entities/finding-status.ts';
import { dueAtOf, priorityOf } from '#shared/findings/priority.ts';
import type { SeenRecord } from '#shared/findings/scan-state.ts';
import type { FindingRow } from '#shared/findings/view.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import { type Entry, reportedFields } from './entry.ts';

/** Whether the whole of a known finding must be read, because something may have to be written. */
export const mayChange = (
  entry: Entry,
  { status }: Pick<FindingRow, 'status'>,
  seen: SeenRecord | undefined,
): boolean => seen?.contentHash !== entry.contentHash || status === 'fixed';

type Sighting = { entry: Entry; scan: Scan; scope: string; taskId: string; at: string };

/** The changes of a known finding that was seen again; none when it says the same: the scan state counts sightings. */
export function sightingChanges(standing: StoredFinding, sighting: Sighting): Partial<StoredFinding> | undefined {
  const { entry, scan } = sighting;
  const changes = {
    ...(standing.contentHash !== entry.contentHash && contentChanges(standing, reportedFields(entry, scan))),
    ...returnChanges(standing, sighting),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** Severity, date and tags stay where a person may have set them. */
function contentChanges(standing: StoredFinding, reported: ReturnType<typeof reportedFields>): Partial<StoredFinding> {
  const severity = standing.severityOverridden ? standing.severity : reported.severity;
  const { epss, kev, cvssScore = standing.cvssScore } = standing;
  const since = openSince(standing);
  const isDefaultDue = standing.dueAt === dueAtOf(standing.severity, since);
  return {
    ...reported,
    tags: standing.tags,
    severity,
    priority: priorityOf({ severity, cvssScore: reported.cvssScore ?? cvssScore, epss, kev }),
    ...(isDefaultDue && { dueAt: dueAtOf(severity, since) }),
  };
}

/** A fixed finding that is seen again is open again, counted, and belongs to the scope that saw it. */
function returnChanges(standing: StoredFinding, { taskId, at, scope }: Sighting): Partial<StoredFinding> {
  const move = { to: 'open', at, scanTaskId: taskId, reason: `Seen again by ${taskId}.` } as const;
  if (!canMove(standing.status, move)) return {};
  return { ...moveStatus(standing, move), scope, dueAt: dueAtOf(standing.severity, at) };
}

/** The changes of a finding that a scan closes; `seen` is its last sighting, which leaves the state. */
export function closingChanges(standing: FindingRow, scan: { taskId: string; at: string; seen: SeenRecord }) {
  const { taskId, at, seen } = scan;
  return {
    ...moveStatus(standing, { to: 'fixed', at, scanTaskId: taskId, reason: `No longer seen by ${taskId}.` }),
    lastSeenAt: new Date(seen.seenAt * 1000).toISOString(),
    occurrences: seen.occurrences,
  } satisfies Partial<StoredFinding>;
}
