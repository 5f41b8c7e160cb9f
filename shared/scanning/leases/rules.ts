import type { Batch } from '#shared/platform/table/batch.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { MachineRecord, Machines } from '../machines/machines.ts';
import type { LeasePresence } from './lease.ts';

/** A change of tasks: the table of their organization, and its batch. */
export type Step = { table: Table; batch: Batch };
export type Failure = { code: string; message: string };

/** The part of a task that the protocol reads. */
type LeasableTask = Stored & {
  status: string;
  attempt: number;
  cancelRequestedAt: string | null;
  /** The organization whose machine holds the task, where it is not the task's own. */
  providerId?: string | null;
};

/** The types of one kind of machine and its tasks; `detail`: the fields that lists of tasks leave out. */
export type LeaseTypes = {
  machine: MachineRecord;
  presence: LeasePresence;
  task: LeasableTask;
  detail: PropertyKey;
};

type Task<K extends LeaseTypes> = K['task'];

/** The places of tasks for one kind of machine, and their holders. */
export type HolderRules<K extends LeaseTypes> = {
  machines: Machines<K['machine'], K['presence']>;
  tasks: Entity<Task<K>, K['detail'] & keyof Task<K>>;
  /** The machine that a running task was handed to. */
  machineOf: (task: Task<K>) => { id: string } | null;
  /** Ends a task that waits. @throws conflict when the task has ended */
  cancel: (step: Step, task: Task<K>, error: Failure | null) => Task<K>;
};

/** The rules for the end of leases by one kind of machine. */
export type LeaseRules<K extends LeaseTypes> = HolderRules<K> & {
  /** The machine's name in error messages. */
  machineName: string;
  /**
   * Takes running tasks from their machine: they wait again while attempts are left, otherwise they fail; a task with a
   * requested cancellation is cancelled. `usage`: tokens that the machine reports as used.
   */
  giveBack: (step: Step, tasks: readonly Task<K>[], why: { error: Failure; usage?: TokenCount }) => Promise<Task<K>[]>;
  /** Brings on what waits for these tasks, which ended or came back. Harmless to repeat. */
  settle: (owner: Table, tasks: readonly Task<K>[]) => Promise<void>;
};

export type TokenCount = { inputTokens: number; outputTokens: number };

/** Whether the record names this machine as the holder of a task. */
export const isHeldBy = <K extends LeaseTypes>(
  { machineOf }: HolderRules<K>,
  task: Task<K> | undefined,
  machineId: string,
): task is Task<K> => task?.status === 'running' && machineOf(task)?.id === machineId;
