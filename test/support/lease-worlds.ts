import { completeAsAppliance } from '#functions/apex/apex-communication/complete.ts';
import { pollAsAppliance } from '#functions/apex/apex-communication/poll.ts';
import { createTask } from '#functions/apex/apex-tasks/change.ts';
import { ApexAppliance, apexAppliances } from '#shared/apex/apex-appliance.ts';
import { ApexTaskCreate, apexTasks } from '#shared/apex/apex-task.ts';
import { apexLeases } from '#shared/apex/leases.ts';
import { apexMachines } from '#shared/apex/presence.ts';
import { settleTasks } from '#shared/apex/settle.ts';
import { cancelTask as cancelApexTask } from '#shared/apex/stop.ts';
import { taskRows } from '#shared/platform/jobs/task.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { cancelTask as cancelScannerTask } from '#shared/scanning/fleet/cancel-task.ts';
import { scannerLeases } from '#shared/scanning/fleet/leases.ts';
import { scannerMachines } from '#shared/scanning/fleet/presence.ts';
import type { CompletedTasksAnswer } from '#shared/scanning/leases/answers.ts';
import { deleteHolder } from '#shared/scanning/leases/give-back.ts';
import { updateMachine } from '#shared/scanning/machines/machines.ts';
import { ScannerTask, scannerTasks } from '#shared/scanning/scanner-tasks/scanner-task.ts';
import { Scanner, scanners } from '#shared/scanning/scanners/scanner.ts';
import { applianceDraft } from './apex.ts';
import { linkIn, newWorld, type World } from './scanning-world.ts';
import { newOrganization } from './store.ts';
import { expectExact } from './verify.ts';

/** One organization with machines of one kind and their tasks, driven through the functions that the Lambdas run. */
export type LeaseWorld = Pick<World, 'connections' | 'sweep' | 'sent' | 'expectExactCounters'> & {
  link(): Promise<string>;
  /** Makes a task for each of these addresses. */
  offer(addresses: string[]): Promise<void>;
  poll(id: string, body?: PollBody): Promise<PollAnswer>;
  addressOf(task: object): string;
  complete(id: string, results: unknown[]): Promise<CompletedTasksAnswer>;
  cancel(taskId: string): Promise<object>;
  readTask(taskId: string): Promise<object>;
  /** The memory of an answer, by the `taskId` in it. */
  readNote(taskId: string): Promise<object | undefined>;
  listTasks(): Promise<object[]>;
  readMachine(id: string): Promise<object>;
  countMachines(): Promise<Record<string, number>>;
  setEnabled(id: string, enabled: boolean): Promise<unknown>;
  remove(id: string): Promise<unknown>;
};

type PollAnswer = Awaited<ReturnType<World['poll']>> | Awaited<ReturnType<typeof pollAsAppliance>>;
type PollBody = { capacity?: number; running?: { taskId: string; progress: number }[] };
const settingsOf = (id: string, enabled: boolean) => ({ id, patch: { enabled }, ifMatch: undefined });

/** Scanners of one organization and their tasks. */
function scannerWorld(dynamo: Dynamo): LeaseWorld {
  const { table, connections, sweep, sent, engage, complete, ...world } = newWorld(dynamo, newOrganization(dynamo));
  return {
    connections,
    sweep,
    sent,
    complete,
    link: async () => (await world.link()).id,
    async offer(addresses) {
      await engage(addresses);
    },
    poll: (id, body) => world.poll(id, body),
    addressOf: (task) => ScannerTask.shape.target.parse(Reflect.get(task, 'target')).value,
    cancel: (taskId) => cancelScannerTask(table, taskId),
    readTask: (taskId) => table.get(scannerTasks, taskId),
    readNote: (id) => table.rows(taskRows).find({ id }),
    listTasks: world.tasks,
    readMachine: (id) => table.get(scanners, id),
    countMachines: () => table.facets(scanners),
    setEnabled: (id, enabled) => updateMachine(scannerMachines, table, { record: Scanner, ...settingsOf(id, enabled) }),
    remove: (id) => deleteHolder(scannerLeases, table, id),
    expectExactCounters: world.expectExactCounters,
  };
}

/** Appliances of one organization and their tasks. */
function applianceWorld(dynamo: Dynamo): LeaseWorld {
  const { table, connections, sweep, sent, engage } = newWorld(dynamo, newOrganization(dynamo));
  const tasks = async () => (await table.list(apexTasks, { paginateFrom: 0, paginateSize: 100 })).data;
  return {
    connections,
    sweep,
    sent,
    link: async () => (await linkIn(table, { entity: apexAppliances, draft: applianceDraft })).id,
    async offer(addresses) {
      const { id: engagementId } = await engage(addresses);
      for (const value of addresses) {
        const wish = { engagementId, type: 'reconnaissance', objective: value, targets: [{ type: 'host', value }] };
        await createTask(table, ApexTaskCreate.parse(wish));
      }
    },
    poll: (id, body) => pollAsAppliance(table, { machineId: id, body: { capacity: 1, ...body } }),
    complete: (id, results) => completeAsAppliance({ connections, table, machineId: id }, results),
    addressOf: (task) => String(Reflect.get(task, 'objective')),
    async cancel(taskId) {
      const task = await cancelApexTask(table, taskId);
      await settleTasks(table, [task]);
      return task;
    },
    readTask: (taskId) => table.get(apexTasks, taskId),
    readNote: (id) => table.rows(taskRows).find({ id }),
    listTasks: tasks,
    readMachine: (id) => table.get(apexAppliances, id),
    countMachines: () => table.facets(apexAppliances),
    setEnabled: (id, enabled) =>
      updateMachine(apexMachines, table, { record: ApexAppliance, ...settingsOf(id, enabled) }),
    remove: (id) => deleteHolder(apexLeases, table, id),
    expectExactCounters: () => expectExact(table, [apexTasks, apexAppliances]),
  };
}

export const LEASE_WORLDS = [
  ['scanner', scannerWorld],
  ['appliance', applianceWorld],
] as const;
