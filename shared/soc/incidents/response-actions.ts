import { now } from '#shared/platform/runtime/clock.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { putTimer } from '#shared/platform/timers/timers.ts';
import type { LeaseRules, Step } from '#shared/scanning/leases/rules.ts';
import { dequeueRow, enqueueRows, type PendingRow } from '#shared/scanning/scanner-tasks/queue.ts';
import { entryWrite } from '../alerts/timeline.ts';
import type { Integrator } from './integrator.ts';
import { type IntegratorPresence, integratorMachines } from './integrators.ts';
import { responseActions, responseStates, type StoredResponseAction } from './response-action.ts';

export type ResponseTypes = {
  machine: Integrator;
  presence: IntegratorPresence;
  task: StoredResponseAction;
  detail: never;
};

type Verb = 'approve' | 'deny' | 'lease' | 'succeed' | 'fail';
type Move = { verb: Verb; text?: string | undefined } & Partial<StoredResponseAction>;

/** The queue of actions of a type for one integrator, or for any integrator that offers them. */
export const responseQueue = (type: string, integratorId: string | null): string =>
  `response|${type}|${integratorId ?? ''}`;

const pendingRow = ({ id, type, integratorId }: StoredResponseAction): PendingRow => ({
  queue: responseQueue(type, integratorId),
  taskId: id,
});

/** Moves an action on, with a line in the timeline of its incident. @throws conflict when it cannot follow */
export function moveAction({ table, batch }: Step, action: StoredResponseAction, move: Move): StoredResponseAction {
  const { verb, text, ...changes } = move;
  const status = nextState(responseStates, {
    state: action.status,
    verb,
    name: 'response action',
    offers: ['approve', 'deny'],
  });
  const next = batch.update(responseActions, action, table.changed(action, { ...changes, status }));
  const statusChange = { status: { from: action.status, to: status } };
  const entry = {
    at: now(),
    kind: 'response_action' as const,
    responseActionId: action.id,
    changes: statusChange,
    text,
  };
  batch.write(entryWrite(table, action.incidentId, entry), ...queueWrites(table.tenant, action, next));
  return next;
}

/** An approved action waits in a queue; an action that leaves the queue must still be there. */
function queueWrites(scope: string, before: StoredResponseAction, after: StoredResponseAction): Write[] {
  if (after.status === 'approved') return enqueueRows(scope, [pendingRow(after)]);
  return before.status === 'approved' ? [dequeueRow(scope, pendingRow(before))] : [];
}

/** The time at which an approved action that nobody took has failed. */
export const deadlineTimer = (organizationId: string, { id, deadlineAt }: StoredResponseAction): Write =>
  putTimer({ kind: 'response', at: Date.parse(deadlineAt ?? now()), organizationId, id });

export const failAction = (step: Step, action: StoredResponseAction, error: { code: string; message: string }) =>
  moveAction(step, action, { verb: 'fail', error, finishedAt: now(), text: error.message });

/** An action whose integrator fell silent may have been done: it is not handed out again. */
export const responseLeases: LeaseRules<ResponseTypes> = {
  machines: integratorMachines,
  tasks: responseActions,
  machineName: 'integrator',
  machineOf: ({ integratorId }) => (integratorId === null ? null : { id: integratorId }),
  cancel: (step, action, error) => moveAction(step, action, { verb: 'deny', error, finishedAt: now() }),
  giveBack: async (step, actions, { error }) => actions.map((action) => failAction(step, action, error)),
  settle: async () => undefined,
};
