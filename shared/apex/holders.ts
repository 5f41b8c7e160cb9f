import type { HolderRules } from '#shared/scanning/leases/rules.ts';
import type { ApexAppliance } from './apex-appliance.ts';
import { type ApexTask, type apexTaskDetail, apexTasks } from './apex-task.ts';
import { finish } from './moves.ts';
import { type ApexPresence, apexMachines } from './presence.ts';

export type ApexTypes = {
  machine: ApexAppliance;
  presence: ApexPresence;
  task: ApexTask;
  detail: (typeof apexTaskDetail)[number];
};

export const apexHolders: HolderRules<ApexTypes> = {
  machines: apexMachines,
  tasks: apexTasks,
  machineOf: ({ appliance }) => appliance,
  cancel: (step, task, error) => finish(step, task, { verb: 'cancel', error }),
};
