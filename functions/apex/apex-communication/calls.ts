import { type ApexDataSource, knownApexTypes, type ReportedTask } from '#shared/apex/apex-appliance.ts';
import type { ApexTypes } from '#shared/apex/holders.ts';
import { apexMachines } from '#shared/apex/presence.ts';
import type { CallRules } from '#shared/scanning/leases/poll.ts';
import type { LeasedApexTask } from './routes.ts';
import type { ApexFound } from './take.ts';

/** A poll or session update of an appliance. */
export type ApexCall = {
  machineId: string;
  body: Pick<ApexDataSource, 'version' | 'taskTypes' | 'capacity'> & { running?: readonly ReportedTask[] };
};

export type ApexCallTypes = ApexTypes & {
  report: ReportedTask;
  call: ApexCall;
  found: ApexFound;
  work: Omit<LeasedApexTask, 'leaseSeconds' | 'leaseExpiresAt' | 'deadlineAt'>;
};

export const apexCalls: CallRules<ApexCallTypes> = {
  machines: apexMachines,
  machineName: 'appliance',
  keptOf: ({ progress, step, message }) => ({ progress, ...(step && { step }), ...(message && { message }) }),
  isNews(presence, { body: { version, taskTypes } }) {
    if (version != null && version !== presence.softwareVersion) return true;
    return taskTypes !== undefined && knownApexTypes(taskTypes).join() !== presence.taskTypes.join();
  },
  fieldsOf: (appliance, { body }) => ({
    softwareVersion: body.version ?? appliance.softwareVersion,
    taskTypes: body.taskTypes ?? appliance.taskTypes,
  }),
};
