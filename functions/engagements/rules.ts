import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '#shared/auth/permissions.ts';
import { type Engagement, engagements } from '#shared/entities/engagement.ts';
import { nowMs } from '#shared/runtime/clock.ts';
import { ApiError, type ErrorDetail, invalid } from '#shared/runtime/errors.ts';
import { recurrenceProblem } from '#shared/schedule/recurrence.ts';
import type { Table } from '#shared/table/table.ts';

type Delicate = Pick<Engagement, 'publicScannerGroupId' | 'rulesOfEngagement'>;

/** What only an administrator decides: scanners that are not one's own, and exploiting what is found. */
const isDelicate = ({ publicScannerGroupId, rulesOfEngagement }: Delicate): boolean =>
  publicScannerGroupId !== null || rulesOfEngagement.allowExploitation;

/** Whether somebody else must decide before an engagement of this caller is worked. */
export function needsDecision(caller: Caller, engagement: Delicate): boolean {
  if (isDelicate(engagement)) return true;
  return caller.kind !== 'api_key' && !('role' in caller && ['analyst', 'admin'].includes(caller.role));
}

/** @throws insufficient_scope when the decision is an administrator's */
export function assertMayDecide(caller: Caller, engagement: Delicate): void {
  if (!isDelicate(engagement) || ('role' in caller && caller.role === 'admin')) return;
  const message = 'Exploitation and public scanners are decided by an administrator: this needs the role admin.';
  throw new ApiError('insufficient_scope', message);
}

type Plan = Pick<
  Engagement,
  'schedule' | 'windows' | 'taskTypes' | 'scannerGroupId' | 'publicScannerGroupId' | 'retestOf' | 'kind' | 'parameters'
>;

/** Each task carries those of its type, and a list shows 500 tasks. */
const MAX_PARAMETERS_KB = 16;

/** @throws validation_failed when what is tested again is not here */
export async function assertRetest(table: Table, { retestOf }: Pick<Engagement, 'retestOf'>): Promise<void> {
  if (retestOf === null || (await table.find(engagements, retestOf.engagementId))) return;
  throw invalid('retestOf.engagementId', 'names no engagement');
}

/**
 * What is wrong with how an engagement is to be worked, besides its scope; of a change with how it stands.
 * @throws validation_failed
 */
export function checkPlan(engagement: Plan, before?: Engagement): void {
  const problems = [...scheduleProblems(engagement, before), ...planProblems(engagement)];
  const [first] = problems;
  if (first) throw new ApiError('validation_failed', `${first.path}: ${first.message}`, { details: problems });
}

/** Without a start a rule counts from the creation; before the first run that is no earlier than now. */
function scheduleProblems({ schedule }: Plan, before: Engagement | undefined): ErrorDetail[] {
  if (before && isDeepStrictEqual(before.schedule, schedule)) return [];
  const first = before && before.runs > 0 ? before.createdAt : new Date(nowMs()).toISOString();
  const message = recurrenceProblem({ ...schedule, startAt: schedule.startAt ?? first }, nowMs());
  if (!message) return [];
  const advice = schedule.startAt === null && before ? `${message}: give schedule.startAt too` : message;
  return [{ path: 'schedule.recurrence', message: advice }];
}

function planProblems({ schedule, windows, taskTypes, retestOf, kind, parameters, ...groups }: Plan): ErrorDetail[] {
  const isForPeople = taskTypes.length === 0;
  return [
    ...(isForPeople && schedule.recurrence !== null
      ? [{ path: 'schedule.recurrence', message: 'needs task types: what people do is not started by the clock' }]
      : []),
    ...windows.flatMap(({ from }, n) =>
      from === '24:00' ? [{ path: `windows.${n}.from`, message: 'begin at 00:00 of the day after' }] : [],
    ),
    ...(groups.scannerGroupId !== null && groups.publicScannerGroupId !== null
      ? [{ path: 'publicScannerGroupId', message: 'give a scannerGroupId or this, not both' }]
      : []),
    ...(JSON.stringify(parameters).length > MAX_PARAMETERS_KB * 1024
      ? [{ path: 'parameters', message: `at most ${MAX_PARAMETERS_KB} KB in all: each task carries them` }]
      : []),
    ...(retestOf !== null && kind !== 'retest' ? [{ path: 'retestOf', message: 'belongs to the kind retest' }] : []),
  ];
}
