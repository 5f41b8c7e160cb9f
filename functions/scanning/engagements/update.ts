import { isDeepStrictEqual } from 'node:util';
import { wakeHeldTasks } from '#shared/apex/held-tasks.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { now, nowMs } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import { isFinal, nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { assertRetest, checkPlan, needsDecision, withBeyond } from '#shared/scanning/engagement-tasks/rules.ts';
import { Engagement, engagementOffers, engagementStates } from '#shared/scanning/engagements/engagement.ts';
import { type EngagementUpdate, isInProgress, modifyEngagement } from '#shared/scanning/engagements/modify.ts';
import { assertFits, checkPeople, updateParts } from '#shared/scanning/engagements/people.ts';
import { firstStart, startAfter } from '#shared/scanning/engagements/runs.ts';
import { referenceWrites, unreferenceWrites } from '#shared/scanning/scan-credentials/uses.ts';
import { checkScope } from '#shared/scanning/scanner-tasks/check-scope.ts';
import { assertPlacement } from '#shared/scanning/scanner-tasks/placement.ts';
import type { EngagementCall } from './move.ts';

/** Fields that may change at any time; tasks are made from all other fields. */
const ALWAYS_EDITABLE: readonly string[] = ['title', 'description', 'tags', 'dueAt', 'leadId', 'memberIds'];

type Patch = { patch: object; ifMatch: string | undefined };

/** @throws conflict for fields that cannot change now, and for another version */
export async function updateEngagement(at: Omit<EngagementCall, 'connections'>, patching: Patch): Promise<Engagement> {
  const updated = await modifyEngagement(at.table, at.id, (current) => decideChange(at, current, patching));
  if ('windows' in patching.patch) await wakeHeldTasks(at.table, at.id);
  return updated;
}

/** The changes for the present engagement, which scanner tasks and the clock change too. */
async function decideChange(
  { table, caller, id }: Omit<EngagementCall, 'connections'>,
  current: Engagement,
  { patch, ifMatch }: Patch,
): Promise<EngagementUpdate> {
  const wanted = mergePatch(Engagement, current, { patch, ifMatch });
  if (!wanted) return undefined;
  assertEditable(current, Object.keys(wanted));
  const changes = { ...wanted, ...checkedScope(current, wanted) };
  const after = { ...current, ...changes };
  const isPlanned = isNewPlan(current, after);
  if (isPlanned) {
    checkPlan(after, current);
    await assertPlacement(table, after);
    await assertRetest(table, after);
  }
  await checkPeople({ table, caller }, after, current);
  const plannedBy = { id: caller.id, name: caller.name };
  const restart = isPlanned ? { plannedBy, ...restartOf(caller, current, await withBeyond(table, after)) } : {};
  const also = async (batch: Batch): Promise<void> => {
    await updateParts(table, batch, { before: current, after, id });
    batch.write(...credentialWrites(table.tenant, id, { had: current.credentialIds, has: after.credentialIds }));
    assertFits(batch);
  };
  return { changes: { ...changes, ...restart }, also };
}

type References = { had: readonly string[]; has: readonly string[] };

const credentialWrites = (scope: string, id: string, { had, has }: References): Write[] => [
  ...referenceWrites(scope, id, [...new Set(has.filter((one) => !had.includes(one)))]),
  ...unreferenceWrites(
    scope,
    id,
    had.filter((one) => !has.includes(one)),
  ),
];

function assertEditable({ status, lastRun }: Engagement, fields: readonly string[]): void {
  const fixed = fields.filter((name) => !ALWAYS_EDITABLE.includes(name));
  if (isFinal(engagementStates, status)) throw conflict(`This engagement is ${status}: it can no longer be changed.`);
  if (fixed.length === 0 || (status !== 'running' && !isInProgress(lastRun))) return;
  const message = `This engagement is ${status} and has tasks: only ${ALWAYS_EDITABLE.join(', ')} can change now.`;
  throw conflict(
    message,
    fixed.map((path) => ({ path, message })),
  );
}

/** The changed engagement scope in its stored form; nothing when it stays. */
function checkedScope(current: Engagement, wanted: Partial<Engagement>): Partial<Engagement> {
  if (!wanted.targets && !wanted.exclusions && !wanted.taskTypes) return {};
  const { targets, exclusions } = checkScope({ ...current, ...wanted });
  return { targets, exclusions };
}

const isNewPlan = (before: Engagement, after: Engagement): boolean =>
  Object.keys(after).some(
    (name) =>
      !ALWAYS_EDITABLE.includes(name) && !isDeepStrictEqual(Reflect.get(before, name), Reflect.get(after, name)),
  );

type Planned = Awaited<ReturnType<typeof withBeyond<Engagement>>>;

/** The new status or start of an approved engagement after a change of its plan. */
function restartOf(caller: Caller, before: Engagement, after: Planned): Partial<Engagement> {
  if (before.status === 'requested') return {};
  if (needsDecision(caller, after))
    return {
      status: nextState(engagementStates, {
        state: before.status,
        verb: 'resubmit',
        name: 'engagement',
        offers: engagementOffers(before),
      }),
      nextRunAt: null,
      approvedCredentialIds: [],
    };
  // an approved engagement is started by its task, from the record of that time
  return before.status === 'scheduled' && isNewStart(before, after) ? nextStartOf(after) : {};
}

/** Whether a change moves the start. Other changes keep a start that is due. */
const isNewStart = (before: Engagement, after: Engagement): boolean =>
  !isDeepStrictEqual(before.schedule, after.schedule) ||
  (before.taskTypes.length === 0) !== (after.taskTypes.length === 0);

function nextStartOf(engagement: Engagement): Partial<Engagement> {
  if (engagement.taskTypes.length === 0) return { nextRunAt: null };
  if (engagement.runs === 0) return { nextRunAt: firstStart(engagement) };
  const nextRunAt = startAfter(engagement, nowMs());
  return nextRunAt === null ? { nextRunAt, status: 'completed', completedAt: now() } : { nextRunAt };
}
