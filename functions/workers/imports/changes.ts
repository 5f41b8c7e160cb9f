import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import { severityAfterReport } from '#shared/findings/finding/finding-severity.ts';
import { canMove, dueSince, isOpen, moveStatus } from '#shared/findings/finding/finding-status.ts';
import { reportedFields } from '#shared/findings/finding/reported.ts';
import { dueFields, isDueChosen, type Sla } from '#shared/findings/sla/sla-policies.ts';
import type { SeenRecord } from '#shared/findings/view/scan-state.ts';
import type { FindingRow } from '#shared/findings/view/view.ts';
import type { Scan } from '#shared/ingest/submission.ts';
import type { Entry, Exploited, Line } from './entry.ts';

/** An entry of a report that came in at a time; `seen` is what the scope knows of its finding. */
type Seeing<E = Line> = { entry: E; seen: SeenRecord | undefined; at: string };

/** A report may be worked after one that came in later. The content and repairs of the later report then stay. */
const isOlder = ({ seen, at }: Seeing, lastSeenAt = ''): boolean =>
  at < lastSeenAt || (seen !== undefined && Date.parse(at) < seen.seenAt);

/** Whether the whole of a known finding must be read, because something may have to be written. */
export const mayChange = (
  { status, firstSeenAt }: Pick<FindingRow, 'status' | 'firstSeenAt'>,
  seeing: Seeing,
): boolean =>
  status === 'fixed' ||
  seeing.at < firstSeenAt ||
  (!isOlder(seeing) && seeing.seen?.contentHash !== seeing.entry.contentHash);

type Sighting = Seeing<Entry> & {
  scan: Scan;
  scope: string;
  taskId: string;
  sla: Sla;
  exploited: Exploited;
};

/** The changes of a known finding that was seen again; none when the entry says the same: the scan state counts sightings. */
export function sightingChanges(current: StoredFinding, sighting: Sighting): Partial<StoredFinding> | undefined {
  const { entry, scan, at, sla, exploited } = sighting;
  const isRepairedSince = current.status === 'fixed' && at < (current.fixedAt ?? '');
  const saysMore = !isOlder(sighting, current.lastSeenAt) && current.contentHash !== entry.contentHash;
  const first = at < current.firstSeenAt ? firstSeenChanges(current, sighting) : {};
  const seen = {
    ...first,
    ...(saysMore &&
      contentChanges({ ...current, ...first }, reportedFields(entry, scan, exploited(entry.finding)), sla)),
    ...(isRepairedSince ? lateSighting(current, at) : returnChanges(current, sighting)),
  };
  const changes = { ...seen, ...(saysMore && mutedChanges({ ...current, ...seen }, sighting)) };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/** The finding was there before the report that made it: an earlier one is worked after it. */
function firstSeenChanges(current: StoredFinding, { scan, scope, taskId, at, sla }: Sighting): Partial<StoredFinding> {
  const { reopenedAt } = current;
  return {
    firstSeenAt: at,
    taskId,
    engagementId: scan.engagementId,
    ...(!reopenedAt && { scope }),
    ...(!reopenedAt && !isDueChosen(current) && dueFields(sla, current, at)),
  };
}

/** A sighting before the repair counts, and changes nothing else. */
export const lateSighting = (
  { lastSeenAt = '', occurrences = 1 }: Pick<StoredFinding, 'lastSeenAt' | 'occurrences'>,
  at: string,
) => ({ lastSeenAt: at > lastSeenAt ? at : lastSeenAt, occurrences: occurrences + 1 });

/** Tags stay, and the date and the severity where a person set them. */
function contentChanges(
  current: StoredFinding,
  reported: ReturnType<typeof reportedFields>,
  sla: Sla,
): Partial<StoredFinding> {
  const rated = severityAfterReport(current, reported.severity);
  return {
    ...reported,
    tags: current.tags,
    ...rated,
    ...(!isDueChosen(current) && dueFields(sla, { ...current, ...rated }, dueSince(current))),
  };
}

/** A fixed finding that is seen again is open again, counted, and belongs to the scope that saw it. */
export function returnChanges(
  current: StoredFinding,
  { taskId, at, scope, sla }: Pick<Sighting, 'taskId' | 'at' | 'scope' | 'sla'>,
): Partial<StoredFinding> {
  const move = { to: 'open', at, scanTaskId: taskId, reason: `Seen again by ${taskId}.` } as const;
  if (!canMove(current.status, move)) return {};
  return { ...moveStatus(current, move), scope, ...dueFields(sla, current, at) };
}

const MUTED = 'Muted in ';

/** A problem that its tool was told to be silent about is accepted, until the tool shows it again or a person decides. */
export function mutedChanges(
  current: Parameters<typeof moveStatus>[0] & Pick<StoredFinding, 'severity' | 'asset' | 'statusReason'>,
  { entry: { finding, tool }, at, taskId, sla }: Pick<Sighting, 'entry' | 'at' | 'taskId' | 'sla'>,
): Partial<StoredFinding> | undefined {
  if (finding.muted && isOpen(current.status))
    return moveStatus(current, { to: 'risk_accepted', at, scanTaskId: taskId, reason: `${MUTED}${tool}.` });
  if (finding.muted || current.status !== 'risk_accepted' || !current.statusReason?.startsWith(MUTED)) return undefined;
  const reason = `No longer muted in ${tool}.`;
  return { ...moveStatus(current, { to: 'open', at, scanTaskId: taskId, reason }), ...dueFields(sla, current, at) };
}

/** The changes of a finding that a scan closes; `seen` is its last sighting, which leaves the state. */
export function closingChanges(current: FindingRow, scan: { taskId: string; at: string; seen: SeenRecord }) {
  const { taskId, at, seen } = scan;
  return {
    ...moveStatus(current, { to: 'fixed', at, scanTaskId: taskId, reason: `No longer seen by ${taskId}.` }),
    lastSeenAt: new Date(seen.seenAt).toISOString(),
    occurrences: seen.occurrences,
  } satisfies Partial<StoredFinding>;
}
