import { nowMs } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { inOrganization, type Table } from '#shared/platform/table/table.ts';
import { type Lease, type LeasePresence, nextTimer } from '#shared/scanning/leases/lease.ts';
import { type Machines, readMachinePresence } from '#shared/scanning/machines/machines.ts';
import { firstPresence } from '#shared/scanning/machines/presence.ts';
import { type MachineKey, presenceKey } from '#shared/scanning/machines/presence-rows.ts';
import { type PresenceChange, savePresence } from '#shared/scanning/machines/save-presence.ts';
import { type ApexAppliance, apexAppliances, knownApexTypes } from './apex-appliance.ts';
import { type ApexTask, type ApexTaskType, apexTasks } from './apex-task.ts';

/** A lease that an appliance holds. */
export type ApexLease = Lease & {
  engagementId: string;
  runId: string | null;
  step?: string;
  message?: string;
  /** Its campaign is paused: the appliance pauses the task. */
  isPaused?: boolean;
};

export const COMMAND_TYPES = ['cancel', 'pause', 'resume', 'approve', 'deny', 'rotate_credential', 'upgrade'] as const;

/**
 * Each answer to a session update repeats the command until the command has no more effect or until `until`: repeated
 * obedience must be harmless.
 */
export type ApexCommand = { type: (typeof COMMAND_TYPES)[number]; taskId?: string; reason: string; until: number };
export const COMMAND_SECONDS = 300;

type ApexSession = {
  id: string;
  state: NonNullable<ApexAppliance['session']>['state'];
  updatedAt: number;
  resources: Record<string, number>;
};

/** Everything about an appliance that a poll or session update reads, in one row. */
export type ApexPresence = LeasePresence<ApexLease> & {
  zone: string | null;
  /** It takes tasks of every organization, and no others. */
  public: boolean;
  taskTypes: ApexTaskType[];
  softwareVersion: string | null;
  commands: ApexCommand[];
  session: ApexSession | null;
};

export const apexPresences = defineRow<ApexPresence, MachineKey>({
  name: 'apex-presence',
  about: 'an appliance: what it may do, when it was last seen, the leases that it holds',
  key: presenceKey,
});

const profileOf = (appliance: ApexAppliance) => ({
  name: appliance.name,
  zone: appliance.zone,
  public: appliance.public,
  taskTypes: knownApexTypes(appliance.taskTypes),
  softwareVersion: appliance.softwareVersion,
  enabled: appliance.enabled,
  capacity: appliance.capacity,
  maintenanceUntil: appliance.maintenanceUntil,
});

export const apexMachines: Machines<ApexAppliance, ApexPresence> = {
  kind: 'apex',
  entity: apexAppliances,
  rows: apexPresences,
  nextTimer,
  profileOf,
  newPresence: (appliance) => ({
    ...firstPresence(appliance),
    ...profileOf(appliance),
    leases: {},
    commands: [],
    session: null,
  }),
  liveFields: (presence) => ({
    runningTasks: Object.keys(presence?.leases ?? {}).length,
    session: presence?.session ? shownSession(presence.session) : null,
  }),
};

const shownSession = ({ updatedAt, ...session }: ApexSession) => ({
  ...session,
  updatedAt: new Date(updatedAt).toISOString(),
});

/** The current presence, made from the appliance's record where none exists yet. */
export const readApexPresence = (table: Table, applianceId: string): Promise<ApexPresence | undefined> =>
  readMachinePresence(apexMachines, table, applianceId);

/** @throws PresenceMoved */
export const saveApexPresence = (table: Table, change: PresenceChange<ApexPresence>): Promise<ApexPresence> =>
  savePresence(apexMachines, table, change);

/** A task with the table of the organization that owns it. */
type OwnedTask = { owner: Table; task: ApexTask };

/** The task, if the appliance holds its lease now: the stored lease decides, not the caller. */
export async function heldTask(table: Table, applianceId: string, taskId: string): Promise<OwnedTask | undefined> {
  const presence = await table.rows(apexPresences).find({ machineId: applianceId }, true);
  const lease = presence?.leases[taskId];
  if (!lease) return undefined;
  const owner = inOrganization(table, lease.organizationId);
  const task = await owner.find(apexTasks, taskId, true);
  return task?.status === 'running' && task.appliance?.id === applianceId ? { owner, task } : undefined;
}

/** The organization of an engagement whose task the appliance holds now. One read. */
export async function ownerOfEngagement(table: Table, applianceId: string, id: string): Promise<Table | undefined> {
  const presence = await table.rows(apexPresences).find({ machineId: applianceId }, true);
  const leases = Object.values(presence?.leases ?? {});
  const held = leases.find(({ engagementId, until }) => engagementId === id && until > nowMs());
  return held && inOrganization(table, held.organizationId);
}
