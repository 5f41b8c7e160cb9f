import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { leaseTerms } from '#shared/scanning/leases/lease.ts';
import { type PollRules, poll } from '#shared/scanning/leases/poll.ts';
import type { Step } from '#shared/scanning/leases/rules.ts';
import { type Found, firstOf, nothing, readHinted } from '#shared/scanning/leases/search.ts';
import { hintOf, type WorkHint } from '#shared/scanning/scanner-tasks/queue.ts';
import type { Integrator, IntegratorDataSource } from '#shared/soc/incidents/integrator.ts';
import { integratorMachines } from '#shared/soc/incidents/integrators.ts';
import { responseActions, type StoredResponseAction } from '#shared/soc/incidents/response-action.ts';
import { moveAction, type ResponseTypes, responseQueue } from '#shared/soc/incidents/response-actions.ts';

type IntegratorPoll = { machineId: string; body: IntegratorDataSource };

type Types = ResponseTypes & {
  report: NonNullable<IntegratorDataSource['running']>[number];
  call: IntegratorPoll;
  found: Found<StoredResponseAction>;
  work: ReturnType<typeof workOf>;
};

const workOf = ({ id, type, target, parameters, reason, incidentId, attempt }: StoredResponseAction) => ({
  id,
  type,
  target,
  parameters,
  reason,
  incidentId,
  attempt,
});

/** The most waiting actions of a queue that a poll reads. */
const WIDTH = 50;

const integratorPolls: PollRules<Types> = {
  machines: integratorMachines,
  machineName: 'integrator',
  bounds: { perPoll: 5, held: 20 },
  keptOf: () => ({}),
  isNews: ({ softwareVersion }, { body }) => body.version !== undefined && body.version !== softwareVersion,
  fieldsOf: (integrator: Integrator, { body }) => ({ softwareVersion: body.version ?? integrator.softwareVersion }),
  find: (table, { machineId }, { call, hint, room, attempt }) =>
    findActions(table, { machineId, capabilities: call.body.capabilities ?? [], hint, room, attempt }),
  lease: async (step, { presence }, { tasks }) => ({
    leased: tasks.map((one) => leaseOne(step, one, presence.machineId)),
  }),
  follow: async () => undefined,
};

type Capabilities = NonNullable<IntegratorDataSource['capabilities']>;
type Wanted = {
  machineId: string;
  capabilities: Capabilities;
  hint: WorkHint | undefined;
  room: number;
  attempt: number;
};

/** Approved actions that the integrator offers, the oldest first. */
async function findActions(table: Table, wanted: Wanted): Promise<Found<StoredResponseAction>> {
  const { machineId, capabilities, hint, room, attempt } = wanted;
  const types = new Set(capabilities.map(({ action }) => action));
  const queues = [...types].flatMap((type) => [responseQueue(type, null), responseQueue(type, machineId)]);
  const hinted = queues.filter((queue) => hintOf(hint, queue) !== undefined);
  if (hinted.length === 0 || room === 0) return nothing(table, hinted.length > 0);
  const { waiting, seen } = await readHinted(table, { queues: hinted, hint, width: WIDTH });
  const ids = waiting.map(({ taskId }) => taskId);
  const known = new Map((await table.findMany(responseActions, ids, true)).map((one) => [one.id, one]));
  const fitting = waiting.filter(({ taskId }) => isOffered(capabilities, known.get(taskId)));
  const tasks = firstOf(fitting, { room, attempt }).flatMap(({ taskId }) => known.get(taskId) ?? []);
  return { owner: table, tasks, more: fitting.length > tasks.length, seen };
}

/** The sweeper fails an action after its deadline. */
function isOffered(capabilities: Capabilities, action: StoredResponseAction | undefined): boolean {
  if (action?.status !== 'approved' || Date.parse(action.deadlineAt ?? '') <= nowMs()) return false;
  const { type, target } = action;
  return capabilities.some((one) => one.action === type && (one.targetTypes?.includes(target.type) ?? true));
}

function leaseOne(step: Step, waiting: StoredResponseAction, integratorId: string) {
  const left = Math.ceil((Date.parse(waiting.deadlineAt ?? '') - nowMs()) / 1000);
  const task = moveAction(step, waiting, { verb: 'lease', integratorId, attempt: 1, startedAt: now() });
  return { task, terms: leaseTerms(left), work: workOf(task) };
}

/** One poll of an integrator. @throws unauthorized when it was removed */
export const pollAsIntegrator = async (table: Table, call: IntegratorPoll) =>
  (await poll(integratorPolls, table, call)).answer;
