import { hintKey, type WorkHint, workHints } from '#shared/dispatch/queue.ts';
import { startEngagements } from '#shared/engagements/settle.ts';
import { knownTaskTypes, type Scanner, type ScannerDataSource, scanners } from '#shared/entities/scanner.ts';
import { intervalFor, namesUnknownTask, roomFor, type WorkLeft, withinToldInterval } from '#shared/machines/leases.ts';
import { isHeartbeatDue } from '#shared/machines/presence.ts';
import { now, nowMs } from '#shared/runtime/clock.ts';
import { ApiError, invalid } from '#shared/runtime/errors.ts';
import { ATTEMPTS, retry } from '#shared/runtime/retry.ts';
import { type Presence, presences, profileOf } from '#shared/scanners/presence.ts';
import { changeScanner, readPresence, savePresence } from '#shared/scanners/session.ts';
import { type KnownVersions, upgradeOf, versionStatusOf } from '#shared/scanners/versions.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { find } from './find.ts';
import { leaseAll } from './lease-all.ts';
import { BOUNDS, hear, saysNews } from './poll-rules.ts';
import type { NewTasksAnswer } from './routes.ts';
import { clearEmptied } from './take.ts';

type Poll = {
  scannerId: string;
  body: ScannerDataSource;
  address: string;
  /** What the deployment says of versions; none is known without it. */
  versions?: KnownVersions;
};

/** One poll of a scanner. @throws unauthorized when it was removed */
export async function poll(table: Table, request: Poll): Promise<NewTasksAnswer> {
  if (request.body.capacity === undefined) throw invalid('capacity', 'is required: how many more tasks you take now');
  return retry((attempt) => pollOnce(table, request, attempt));
}

async function pollOnce(table: Table, request: Poll, attempt: number): Promise<NewTasksAnswer> {
  const { body } = request;
  const [before, hint] = await readState(table, request, attempt > 1);
  const heard = hear(before, body.running);
  const batch = table.batch();
  const isNews = !before.online || before.stale || saysNews(before, body) || isRevalued(before, request);
  const record = isNews ? await describe(table, batch, request) : undefined;
  const presence = { ...before, ...(record && profileOf(record)), online: true, stale: false, leases: heard.leases };
  // the last attempt goes without work: by then others have it
  const room = attempt === ATTEMPTS ? 0 : roomFor(presence, body.capacity ?? 0, BOUNDS);
  const found = await find(table, presence, { named: body.taskTypes, hint, room, attempt });
  const { tasks, more, owner } = found;
  const leased = leaseAll(table, batch, { presence, found });
  const work: WorkLeft = more ? (tasks.length > 0 ? 'waits' : 'waits but no room') : 'none';
  const told = intervalFor(work, Math.random());
  const isRecorded = tasks.length > 0 || record !== undefined || isHeartbeatDue(before);
  if (isRecorded) {
    const after = {
      ...presence,
      leases: { ...heard.leases, ...leased.leases },
      lastSeenAt: nowMs(),
      toldSeconds: told,
    };
    await savePresence(table, { before, after, batch });
  }
  const engagementIds = tasks.map(({ engagementId }) => engagementId);
  await Promise.all([startEngagements(owner, engagementIds), clearEmptied(found)]);
  const { lost, cancel } = heard;
  const pollAfterSeconds = isRecorded ? told : withinToldInterval(before, told);
  const upgrade = upgradeOf(presence.versionStatus, versionsOf(request));
  return { tasks: leased.answers, cancel, lost, pollAfterSeconds, ...(upgrade && { upgrade }) };
}

const versionsOf = ({ versions = { recommended: undefined, minimum: undefined } }: Poll): KnownVersions => versions;

/** The deployment's versions were changed since the scanner's was looked at. */
const isRevalued = ({ softwareVersion, versionStatus }: Presence, request: Poll): boolean =>
  versionStatusOf(softwareVersion, versionsOf(request)) !== versionStatus;

/** Both rows in one round trip; what a stale copy could get wrong is read again, consistently. */
async function readState(
  table: Table,
  { scannerId, body }: Poll,
  consistent: boolean,
): Promise<[Presence, WorkHint | undefined]> {
  const [copy, hint] = await Promise.all([
    table.rows(presences).find({ scannerId }, consistent),
    table.rows(workHints).find(hintKey, consistent),
  ]);
  const presence = copy && !namesUnknownTask(copy, body.running) ? copy : await readPresence(table, scannerId);
  if (!presence) throw new ApiError('unauthorized', 'This scanner was removed. Link it again.');
  return [presence, hint];
}

/** The scanner's record learns that it is there, and what it says of itself. */
async function describe(table: Table, batch: Batch, request: Poll) {
  const { body, address, scannerId } = request;
  const scanner = await table.get(scanners, scannerId, true);
  const supported = body.taskTypes ? knownTaskTypes(body.taskTypes) : scanner.supportedTaskTypes;
  const softwareVersion = body.version ?? scanner.softwareVersion;
  const changes: Partial<Scanner> = {
    status: scanner.enabled ? 'online' : 'disabled',
    firstSeenAt: scanner.firstSeenAt ?? now(),
    lastSeenAt: now(),
    remoteAddress: address,
    softwareVersion,
    versionStatus: versionStatusOf(softwareVersion, versionsOf(request)),
    supportedTaskTypes: supported,
  };
  return changeScanner(batch, table, { scanner, changes });
}
