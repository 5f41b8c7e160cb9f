import { readSettings } from '#shared/credentials/organization-settings.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import type { TaskRow } from '#shared/platform/jobs/task.ts';
import { DAY_MS, now, nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, conflict } from '#shared/platform/runtime/errors.ts';
import { isConflict, retry } from '#shared/platform/runtime/retry.ts';
import type { Cause } from '#shared/platform/table/actor.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { moveTimer } from '#shared/platform/timers/timers.ts';
import { lettersToAdministrators } from './administrators.ts';
import { type ApprovalRequest, approvalRequests, sameRequest } from './approval-request.ts';
import { users } from './user.ts';

/** The days that a request waits, and that a person has been here before they approve one. */
const DAYS = 7;

/** The call of an operation that cannot be undone. */
export type Irreversible = Context & {
  caller: Caller;
  cause: Cause;
  query: object;
  body?: object | undefined;
  request: { method: string; path: string };
};

/**
 * Carries the request out, where the organization demands no second person, or the caller is the second person who sends it. The handler
 * has checked all else before, so that both persons have the same right.
 * @throws approval_required for the first person, insufficient_scope for an account or a key, conflict for a newcomer
 */
export async function withSecondPerson<T>(call: Irreversible, carryOut: () => Promise<T>): Promise<T> {
  const { irreversibleNeedsSecondPerson } = await readSettings(call.table);
  return irreversibleNeedsSecondPerson ? bySecondPerson(call, carryOut) : carryOut();
}

/** The same, whatever the organization demands: for a change of this setting. */
export async function bySecondPerson<T>(call: Irreversible, carryOut: () => Promise<T>): Promise<T> {
  const { table, caller } = call;
  if (caller.kind !== 'user' || caller.support)
    throw new ApiError('insufficient_scope', 'Two people of your organization do this: an account or a key does not.');
  const { waiting, letters } = await retry(() => waitingFor(call), isConflict);
  for (const task of letters) await sendOutbox(call, { task });
  if (waiting.createdBy.id === caller.id) throw approvalRequired(waiting);
  await assertLongHere(table, caller.id);
  // a refused request still waits afterwards
  const done = await carryOut();
  await decide(table, waiting, { status: 'approved', decidedBy: { id: caller.id, name: caller.name } });
  return done;
}

type Waiting = { waiting: ApprovalRequest; letters: readonly TaskRow[] };

/** The request of this call that waits, made where there is none, with letters to others who may approve it. */
async function waitingFor({ table, caller, cause, query, body = {}, request }: Irreversible): Promise<Waiting> {
  const asked = { method: request.method, path: request.path, query: { ...query }, body: { ...body } };
  const found = await table.findUnique(approvalRequests, { field: 'waiting', value: sameRequest(asked) }, true);
  if (found && found.expiresAt > now()) return { waiting: found, letters: [] };
  if (found) await decide(table, found, { status: 'expired' });
  const undecided = { decidedBy: null, decidedAt: null, reason: null };
  const expiresAt = new Date(nowMs() + DAYS * DAY_MS).toISOString();
  const draft = { ...asked, ...undecided, operation: cause.operation, status: 'waiting' as const, expiresAt };
  const letters = await lettersAbout(table, caller, draft);
  const waiting = await table.create<ApprovalRequest, never>(approvalRequests, draft, (batch, made) =>
    batch.write(...timerWrites(table, undefined, made), ...letters.writes),
  );
  return { waiting, letters: letters.tasks };
}

/** With so many requests that wait, another one sends no letters. */
const MAX_REPORTED = 20;

/** Letters to the other administrators and owners, who look at the request and decide. */
async function lettersAbout(
  table: Table,
  caller: Caller,
  { method, path, operation, expiresAt }: Pick<ApprovalRequest, 'method' | 'path' | 'operation' | 'expiresAt'>,
) {
  const [count = 0] = await table.counts(approvalRequests, { filters: [{ status: 'waiting' }] });
  if (count >= MAX_REPORTED) return { tasks: [], writes: [] };
  const letter = {
    subject: `A second person is needed: ${operation}`,
    paragraphs: [
      `${caller.name} asks for something that cannot be undone: ${method} ${path}`,
      'Nothing has happened yet. If your role opens the operation, approve or refuse the request. Ask the person first: somebody else may ' +
        'use the session.',
      `Without a second person the request expires at ${expiresAt}.`,
    ],
    link: { label: 'Open the request', page: '/administration/approvals' },
  };
  return lettersToAdministrators(table, letter, caller.id);
}

/** A person whom somebody added yesterday may be that somebody. */
async function assertLongHere(table: Table, id: string): Promise<void> {
  const { joinedAt, createdAt } = await table.get(users, id, true);
  if (nowMs() - Date.parse(joinedAt ?? createdAt) < DAYS * DAY_MS)
    throw conflict(
      `This waits for a second person, who has been a user of the organization for ${DAYS} days: you have not yet.`,
    );
}

type Decision = { status: 'approved' | 'refused' | 'expired' } & Partial<Pick<ApprovalRequest, 'decidedBy' | 'reason'>>;

/** Ends a request that waits. @throws conflict for a decision of somebody else meanwhile */
export const decide = (table: Table, waiting: ApprovalRequest, decision: Decision): Promise<ApprovalRequest> =>
  table.update(approvalRequests, waiting, { ...decision, decidedAt: now() }, (batch: Batch, after) =>
    batch.write(...timerWrites(table, waiting, after)),
  );

const timerWrites = ({ organizationId }: Table, before: ApprovalRequest | undefined, after: ApprovalRequest) =>
  moveTimer({ kind: 'approval-request', organizationId, id: after.id }, endOf(before), endOf(after));

const endOf = (request: ApprovalRequest | undefined): number | undefined =>
  request?.status === 'waiting' ? Date.parse(request.expiresAt) : undefined;

const approvalRequired = (waiting: ApprovalRequest): ApiError =>
  new ApiError(
    'approval_required',
    `This cannot be undone, and nothing has happened yet. A second person with the same right sends the same request until ` +
      `${waiting.expiresAt}, or refuses the approval request ${waiting.id}.`,
    { current: waiting },
  );
