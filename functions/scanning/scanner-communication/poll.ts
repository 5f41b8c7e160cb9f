import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { startEngagements } from '#shared/scanning/engagement-tasks/settle.ts';
import { type ScannerTypes, scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { type ScannerPresence, scannerMachines } from '#shared/scanning/fleet/presence.ts';
import { type PollRules, poll } from '#shared/scanning/leases/poll.ts';
import { engagementIdsOf } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { knownTaskTypes, type Scanner, type ScannerDataSource } from '#shared/scanning/scanners/scanner.ts';
import { type KnownVersions, upgradeOf, versionStatusOf } from '#shared/scanning/scanners/versions.ts';
import { find } from './find.ts';
import { leaseFound, type ScannerWork } from './lease-found.ts';
import type { NewTasksAnswer } from './routes.ts';
import type { FoundShared } from './take-shared.ts';

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
