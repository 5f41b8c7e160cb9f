import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startEngagements } from '#shared/scanning/engagement-tasks/settle.ts';
import { type ScannerTypes, scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { type ScannerPresence, scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { leaseTerms } from '#shared/scanning/leases/lease.ts';
import { type PollRules, poll, type Recipient } from '#shared/scanning/leases/poll.ts';
import type { Step } from '#shared/scanning/leases/rules.ts';
import { finish, lease } from '#shared/scanning/scanner-tasks/moves.ts';
import type { WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import { engagementIdsOf, parseScannerQueue, type ScannerTask } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { usageWrites } from '#shared/scanning/scanner-tasks/usage.ts';
import { knownTaskTypes, type Scanner, type ScannerDataSource } from '#shared/scanning/scanners/scanner.ts';
import { type KnownVersions, upgradeOf, versionStatusOf } from '#shared/scanning/scanners/versions.ts';
import { groupLimits, withinLimits } from './group-limits.ts';
import { refusedTasks } from './may-begin.ts';
import type { NewTasksAnswer } from './routes.ts';
import { findWork } from './take.ts';
import { type FoundShared, findShared } from './take-shared.ts';
import { queuesOf, typesOf } from './work-for.ts';

/** A task in the answer to its scanner. */
type ScannerWork = ReturnType<typeof workOf>;

function workOf(task: ScannerTask) {
  const { id, type, target, exclusions, parameters, zone, engagementId, attempt } = task;
  const publicOnly = Boolean(task.publicScannerGroupId);
  const scope = { target, ...(exclusions && { exclusions }), ...(publicOnly && { publicOnly }) };
  return { id, type, ...scope, parameters, zone, engagementId, attempt, ...secretsOf(task) };
}

/** The address at which the scanner gets the secrets for the task's logins. */
const secretsOf = ({ id, credentialIds = [], codeScan }: ScannerTask): { secretsUrl?: string } =>
  credentialIds.length === 0 && !codeScan?.cloneToken
    ? {}
    : { secretsUrl: `/api/v1/scanner_communication/tasks/${id}/secrets` };

/**
 * Leases tasks of the scanner's own organization, or of the organization whose turn it is in a pool, within the limits.
 * Cancels a task that the current rules refuse, instead of leasing it.
 */
async function leaseFound(step: Step, { presence }: Recipient<ScannerTypes>, found: FoundShared) {
  const { tasks, windows, limits } = found;
  const refused = await refusedTasks(step.table, tasks);
  const scanner = { id: presence.machineId, name: presence.name };
  const terms = leaseTerms();
  const { leaseExpiresAt } = terms;
  const leased = tasks.flatMap((waiting) => {
    if (refused.has(waiting.id)) return [];
    const windowEndsAt = endOf(windows.get(waiting.id));
    const task = lease(step, waiting, { scanner, leaseExpiresAt, windowEndsAt });
    return [{ task, terms, work: workOf(task) }];
  });
  const ended = tasks.flatMap((waiting) => {
    const error = refused.get(waiting.id);
    return error ? [finish(step, waiting, { verb: 'cancel', error })] : [];
  });
  const begun = leased.map(({ task }) => task);
  step.batch.write(...usageWrites(step.table, begun, { by: 1, limits }));
  return { leased, ended };
}

const endOf = (until: number | undefined): string | undefined =>
  until === undefined ? undefined : new Date(until).toISOString();

type ScannerPoll = {
  machineId: string;
  body: ScannerDataSource;
  address: string;
  /** Those that the deployment declares; none is known without. */
  versions?: KnownVersions;
};
const NO_VERSIONS: KnownVersions = { recommended: undefined, minimum: undefined };

type Types = ScannerTypes & {
  report: NonNullable<ScannerDataSource['running']>[number];
  call: ScannerPoll;
  found: FoundShared;
  work: ScannerWork;
};

const scannerPolls: PollRules<Types> = {
  machines: scannerMachines,
  machineName: 'scanner',
  bounds: { perPoll: 10, held: 30 },
  keptOf: ({ progress }) => ({ progress }),
  isNews,
  fieldsOf,
  find: (table, presence, { call, ...search }) => find(table, presence, { ...search, named: call.body.taskTypes }),
  lease: leaseFound,
  async follow({ owner, tasks }, ended) {
    await startEngagements(owner, engagementIdsOf(tasks));
    await scannerLeases.settle(owner, ended);
  },
};

/** Whether the scanner reports something that its record lacks, or the deployment's versions changed. */
function isNews(presence: ScannerPresence, { body, versions = NO_VERSIONS }: ScannerPoll): boolean {
  const { version, taskTypes } = body;
  if (version !== undefined && version !== presence.softwareVersion) return true;
  if (taskTypes !== undefined && knownTaskTypes(taskTypes).join() !== presence.supported.join()) return true;
  return versionStatusOf(presence.softwareVersion, versions) !== presence.versionStatus;
}

function fieldsOf(scanner: Scanner, { body, address, versions = NO_VERSIONS }: ScannerPoll): Partial<Scanner> {
  const softwareVersion = body.version ?? scanner.softwareVersion;
  return {
    firstSeenAt: scanner.firstSeenAt ?? now(),
    remoteAddress: address,
    softwareVersion,
    versionStatus: versionStatusOf(softwareVersion, versions),
    supportedTaskTypes: body.taskTypes ? knownTaskTypes(body.taskTypes) : scanner.supportedTaskTypes,
  };
}

/** One poll of a scanner; the answer also asks an old scanner to upgrade. @throws unauthorized when it was removed */
export async function pollAsScanner(table: Table, call: ScannerPoll): Promise<NewTasksAnswer> {
  const { answer, presence } = await poll(scannerPolls, table, call);
  const upgrade = upgradeOf(presence.versionStatus, call.versions ?? NO_VERSIONS);
  return { ...answer, ...(upgrade && { upgrade }) };
}

type Search = { named: readonly string[] | undefined; hint: WorkHint | undefined; room: number; attempt: number };

/** Work for a scanner: of its pools if it is shared, else of its own organization, within the limits of both. */
async function find(table: Table, presence: ScannerPresence, search: Search): Promise<FoundShared> {
  const { named, hint, room, attempt } = search;
  if (presence.publicGroupIds?.length)
    return findShared(table, presence, { types: typesOf(presence, named), hint, room, attempt });
  const queues = queuesOf(presence, named);
  const limits = room > 0 ? await groupLimits(table, presence, { queues, hint }) : new Map();
  const isOpen = (queue: string) => limits.get(parseScannerQueue(queue).groupId ?? '')?.left !== 0;
  const found = await findWork(table, { queues: queues.filter(isOpen), hint, room, attempt });
  const tasks = withinLimits(found.tasks, limits);
  const more = found.more || tasks.length < found.tasks.length || queues.some((queue) => !isOpen(queue));
  return { ...found, tasks, more, limits };
}
