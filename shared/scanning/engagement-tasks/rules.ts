import { isDeepStrictEqual } from 'node:util';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import { holdersOf, isSecondPerson } from '#shared/credentials/second-person.ts';
import { analystOf } from '#shared/platform/auth/access.ts';
import { type Caller, isAdmin, isAllowed } from '#shared/platform/auth/permissions.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { ApiError, conflict, type ErrorDetail, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Engagement, engagements } from '../engagements/engagement.ts';
import { beyondBounds } from '../scan-credentials/bounds.ts';
import { type ScanCredential, scanCredentials } from '../scan-credentials/scan-credential.ts';
import { exploitingParameters } from '../scanners/scan-parameters.ts';
import { recurrenceProblem } from '../schedule/recurrence.ts';

type RiskFields = Pick<Engagement, 'publicScannerGroupId' | 'rulesOfEngagement'> & {
  /** The ids of credentials that it would use outside of the targets to which they are bound. */
  beyond: string[];
};

/** An engagement with the credentials that it would use outside of their targets. */
export async function withBeyond<T extends Pick<Engagement, 'credentialIds' | 'targets' | 'taskTypes'>>(
  table: Table,
  engagement: T,
): Promise<T & Pick<RiskFields, 'beyond'>> {
  const { credentialIds } = engagement;
  const credentials: ScanCredential[] = await table.findMany(scanCredentials, credentialIds);
  return { ...engagement, beyond: beyondBounds(credentials, engagement).map(({ id }) => id) };
}

/**
 * Whether only an administrator decides: for public scanners, exploitation, and credentials outside of their targets.
 */
const needsAdministrator = ({ publicScannerGroupId, rulesOfEngagement, beyond }: RiskFields): boolean =>
  publicScannerGroupId !== null || rulesOfEngagement.allowExploitation || beyond.length > 0;

/** Whether another person must approve this caller's engagement. */
export function needsDecision(caller: Caller, engagement: RiskFields): boolean {
  if (needsAdministrator(engagement)) return true;
  return caller.kind !== 'api_key' && !isAllowed(caller, analystOf('scanning'), 'change');
}

/** @throws insufficient_scope when only an administrator may decide */
export function assertMayDecide(caller: Caller, engagement: RiskFields): void {
  if (!needsAdministrator(engagement) || isAdmin(caller, 'scanning')) return;
  const message =
    'Exploitation, public scanners and credentials outside of their targets need the decision of an administrator.';
  throw new ApiError('insufficient_scope', message);
}

/**
 * Exploitation is approved by a second person, unless the organization decided otherwise.
 * @throws conflict when the caller, or an API key that it made, planned the engagement
 */
export async function assertSecondPerson(table: Table, caller: Caller, engagement: Engagement): Promise<void> {
  const { plannedBy = engagement.requestedBy, rulesOfEngagement } = engagement;
  if (!rulesOfEngagement.allowExploitation) return;
  if (await isSecondPerson(table, caller, await holdersOf(table, plannedBy.id))) return;
  const { exploitationNeedsSecondPerson } = await readSettings(table);
  if (!exploitationNeedsSecondPerson) return;
  const rule =
    'You or your API key planned this engagement, and exploitation is approved by a second person: ask another administrator';
  throw conflict(`${rule}, or turn off the setting exploitationNeedsSecondPerson of your organization.`);
}

type Plan = Pick<
  Engagement,
  | 'schedule'
  | 'windows'
  | 'taskTypes'
  | 'scannerGroupId'
  | 'publicScannerGroupId'
  | 'retestOf'
  | 'kind'
  | 'parameters'
  | 'rulesOfEngagement'
>;

/** A task carries the parameters of its type, and a list shows 500 tasks. */
const MAX_PARAMETERS_KB = 16;

/** @throws validation_failed when the engagement to test again does not exist */
export async function assertRetest(table: Table, { retestOf }: Pick<Engagement, 'retestOf'>): Promise<void> {
  if (retestOf === null || (await table.find(engagements, retestOf.engagementId))) return;
  throw invalid('retestOf.engagementId', 'must be the id of an engagement');
}

/**
 * Checks the settings of an engagement besides its engagement scope. @param before the engagement that a patch changes
 * @throws validation_failed
 */
export function checkPlan(engagement: Plan, before?: Engagement): void {
  const problems = [...scheduleProblems(engagement, before), ...planProblems(engagement)];
  const [first] = problems;
  if (first) throw new ApiError('validation_failed', `${first.path}: ${first.message}`, { details: problems });
}

/** A recurrence without `startAt` counts from the creation, but before the first run not from the past. */
function scheduleProblems({ schedule }: Plan, before: Engagement | undefined): ErrorDetail[] {
  if (before && isDeepStrictEqual(before.schedule, schedule)) return [];
  const first = before && before.runs > 0 ? before.createdAt : new Date(nowMs()).toISOString();
  const message = recurrenceProblem({ ...schedule, startAt: schedule.startAt ?? first }, nowMs());
  if (!message) return [];
  const advice = schedule.startAt === null && before ? `${message}: give schedule.startAt too` : message;
  return [{ path: 'schedule.recurrence', message: advice }];
}

function planProblems({ schedule, windows, taskTypes, retestOf, kind, parameters, ...plan }: Plan): ErrorDetail[] {
  const isForPeople = taskTypes.length === 0;
  return [
    ...(isForPeople && schedule.recurrence !== null
      ? [{ path: 'schedule.recurrence', message: 'needs task types: a schedule starts no work of people' }]
      : []),
    ...windows.flatMap(({ from }, n) =>
      from === '24:00' ? [{ path: `windows.${n}.from`, message: 'must be 00:00 of the day after' }] : [],
    ),
    ...(plan.scannerGroupId !== null && plan.publicScannerGroupId !== null
      ? [{ path: 'publicScannerGroupId', message: 'give scannerGroupId or publicScannerGroupId, not both' }]
      : []),
    ...(JSON.stringify(parameters).length > MAX_PARAMETERS_KB * 1024
      ? [{ path: 'parameters', message: `must be at most ${MAX_PARAMETERS_KB} KB in all: each task carries them` }]
      : []),
    ...(plan.rulesOfEngagement.allowExploitation ? [] : exploitingParameters(parameters)),
    ...(retestOf !== null && kind !== 'retest' ? [{ path: 'retestOf', message: 'needs the kind retest' }] : []),
  ];
}
