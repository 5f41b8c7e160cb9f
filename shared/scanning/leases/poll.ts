import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import { log } from '#shared/platform/runtime/log.ts';
import { random } from '#shared/platform/runtime/random.ts';
import { ATTEMPTS, retry } from '#shared/platform/runtime/retry.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Machines, noteOnline, readMachinePresence } from '../machines/machines.ts';
import { isHeartbeatDue } from '../machines/presence.ts';
import { savePresence } from '../machines/save-presence.ts';
import { hintKey, type WorkHint, workHints } from '../scanner-tasks/queue.ts';
import { sharedLeaseWrites } from '../scanner-tasks/shared-lease.ts';
import { type LeaseTerms, renewLeases, type TaskReport } from './lease.ts';
import { type Bounds, intervalFor, roomFor, type WorkLeft, withinToldInterval } from './room.ts';
import type { LeaseTypes, Step } from './rules.ts';
import { clearEmptied, type Found } from './search.ts';

/** A call of a machine. `running`: its report of the tasks that it works on. */
type Call<R extends TaskReport = TaskReport> = { machineId: string; body: { running?: readonly R[] } };
type PollCall<R extends TaskReport> = Call<R> & { body: { capacity?: number | null } };

type Search<C> = { call: C; hint: WorkHint | undefined; room: number; attempt: number };

/** A task that is leased with the batch: `work` goes to its machine, `kept` into its lease. */
export type Leased<K extends PollTypes> = {
  task: K['task'];
  terms: LeaseTerms;
  work: K['work'];
  kept?: Partial<LeaseOf<K>>;
};

/** The machine; `providerId`: its organization, where the tasks are another's. */
export type Recipient<K extends Pick<PollTypes, 'presence'>> = { presence: K['presence']; providerId: string | null };

type Handout<K extends PollTypes> = { leased: Leased<K>[]; ended?: K['task'][] };

type PollTypes = Omit<LeaseTypes, 'detail'> & {
  report: TaskReport;
  call: PollCall<TaskReport>;
  found: Found<LeaseTypes['task']>;
  work: object;
};

type LeaseOf<K extends PollTypes> = K['presence']['leases'][string];

/** The rules for calls by one kind of machine. */
export type CallRules<K extends PollTypes> = {
  machines: Machines<K['machine'], K['presence']>;
  machineName: string;
  /** The part of a report of a running task that its lease keeps. */
  keptOf: (report: K['report']) => Partial<LeaseOf<K>>;
  /** Whether the machine reports something that the presence lacks. */
  isNews: (presence: K['presence'], call: K['call']) => boolean;
  /** The changes of the machine's record that such a call brings. */
  fieldsOf: (machine: K['machine'], call: K['call']) => Partial<K['machine']>;
};

export type PollRules<K extends PollTypes> = CallRules<K> & {
  bounds: Bounds;
  find: (table: Table, presence: K['presence'], search: Search<K['call']>) => Promise<K['found']>;
  /** Leases the found tasks within the batch. Tasks that may not begin (any more) are `ended` or held back instead. */
  lease: (step: Step, to: Recipient<K>, found: K['found']) => Promise<Handout<K>>;
  /** The work that follows once the call is recorded. */
  follow: (found: K['found'], ended: readonly K['task'][]) => Promise<unknown>;
};

/** The caller's presence. Reads again, consistently, where a stale copy could be wrong. @throws unauthorized */
export async function readCaller<K extends PollTypes>(
  { machines, machineName }: CallRules<K>,
  table: Table,
  { call, consistent }: { call: Call; consistent: boolean },
): Promise<K['presence']> {
  const { machineId, body } = call;
  const copy = await table.rows(machines.rows).find({ machineId }, consistent);
  const isKnown = copy && (body.running ?? []).every(({ taskId }) => copy.leases[taskId]);
  const presence = isKnown ? copy : await readMachinePresence(machines, table, machineId);
  if (!presence) throw new ApiError('unauthorized', `This ${machineName} was removed. Link it again.`);
  return presence;
}

/** Records with the batch that the caller is online, and its new facts. */
export async function noteCaller<K extends PollTypes>(
  { machines, isNews, fieldsOf }: CallRules<K>,
  step: Step,
  { before, call }: { before: K['presence']; call: K['call'] },
): Promise<K['presence'] | undefined> {
  if (before.online && !before.stale && !isNews(before, call)) return undefined;
  return noteOnline(machines, step, { before, fieldsOf: (machine) => fieldsOf(machine, call) });
}

/** One poll of a machine. @throws unauthorized when it was removed */
export function poll<K extends PollTypes>(rules: PollRules<K>, table: Table, call: K['call']) {
  if (call.body.capacity == null)
    throw invalid('capacity', 'is required: the number of further tasks that you take now');
  return retry((attempt) => pollOnce(rules, table, { call, attempt }));
}

async function pollOnce<K extends PollTypes>(
  rules: PollRules<K>,
  table: Table,
  { call, attempt }: { call: K['call']; attempt: number },
) {
  const consistent = attempt > 1;
  const [before, hint] = await Promise.all([
    readCaller(rules, table, { call, consistent }),
    table.rows(workHints).find(hintKey, consistent),
  ]);
  const held = before.leases as Record<string, LeaseOf<K>>;
  const report = renewLeases<LeaseOf<K>, K['report']>({ leases: held }, call.body.running ?? [], rules.keptOf);
  const batch = table.batch();
  const noted = await noteCaller(rules, { table, batch }, { before, call });
  const presence: K['presence'] = { ...(noted ?? before), online: true, leases: report.leases };
  // the last attempt takes no tasks: by then other machines have them
  const room = attempt === ATTEMPTS ? 0 : roomFor(presence, call.body.capacity ?? 0, rules.bounds);
  const found = await rules.find(table, presence, { call, hint, room, attempt });
  const { answers, leases, ended } = await leaseFound(rules, table, { batch, presence, found });
  const answered = intervalFor(workLeft(found), random());
  const isRecorded = found.tasks.length > 0 || noted !== undefined || isHeartbeatDue(before);
  if (isRecorded) {
    const after = { ...presence, leases: { ...report.leases, ...leases }, lastSeenAt: nowMs(), toldSeconds: answered };
    await savePresence(rules.machines, table, { before, after, batch });
  }
  await Promise.all([rules.follow(found, ended).catch(logFailure), clearEmptied(found)]);
  const pollAfterSeconds = isRecorded ? answered : withinToldInterval(before, answered);
  return { answer: { tasks: answers, cancel: report.cancel, lost: report.lost, pollAfterSeconds }, presence };
}

const workLeft = ({ more, tasks }: Pick<Found<unknown>, 'more' | 'tasks'>): WorkLeft => {
  if (!more) return 'none';
  return tasks.length > 0 ? 'waits' : 'waits but no room';
};

/** The leases are recorded: the machine must hear of them, and what failed here is done again by others. */
const logFailure = (error: unknown): void => log.warn('poll not followed up', { reason: String(error) });

type LeaseRequest<K extends PollTypes> = { batch: Batch; presence: K['presence']; found: K['found'] };

/** Adds the leases of found tasks to the batch. The lease of another organization's task names that organization. */
async function leaseFound<K extends PollTypes>(
  rules: PollRules<K>,
  table: Table,
  { batch, presence, found }: LeaseRequest<K>,
) {
  const { owner } = found;
  const isOwn = owner.organizationId === table.organizationId;
  const step = { table: owner, batch: batch.within(owner.tenant) };
  const { leased, ended = [] } = await rules.lease(
    step,
    { presence, providerId: isOwn ? null : table.organizationId },
    found,
  );
  batch.write(...sharedLeaseWrites(table, presence.machineId, { owner, ids: leased.map(({ task }) => task.id) }));
  const whose = isOwn ? {} : { organizationId: owner.organizationId };
  const leases = leased.map(({ task: { id, attempt }, terms, kept }) => {
    const [until, deadline] = [Date.parse(terms.leaseExpiresAt), Date.parse(terms.deadlineAt)];
    return [id, { ...kept, attempt, until, deadline, progress: 0, ...whose }] as const;
  });
  const answers = leased.map(({ work, terms }) => ({ ...work, ...terms }));
  return { answers, leases: Object.fromEntries(leases), ended };
}
