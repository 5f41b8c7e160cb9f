import type * as z from 'zod';
import { type StoredFinding, TriagedFinding } from '#shared/findings/finding/finding.ts';
import { isManual, writtenFields } from '#shared/findings/finding/manual.ts';
import { ManualFinding } from '#shared/findings/finding/manual-finding.ts';
import { learnForDates, readSla } from '#shared/findings/sla/sla-policies.ts';
import { changeFinding } from '#shared/findings/triage/change.ts';
import { peopleOf } from '#shared/findings/triage/people.ts';
import { tagsAfter } from '#shared/findings/triage/tags.ts';
import { type Triage, triage } from '#shared/findings/triage/triage.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { isAssignedTo } from '#shared/people/team.ts';
import { analystOf } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed, isStaff } from '#shared/platform/auth/permissions.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import { check } from '#shared/platform/http/validate.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ManualPatch } from './routes.ts';

type FindingPatch = {
  patch: Partial<Record<string, unknown>> & {
    reason?: string | null;
    approverId?: string | null;
    addTags?: readonly string[] | null;
    removeTags?: readonly string[] | null;
  };
  ifMatch?: string;
};
type Change = Context & { caller: Caller; id: string } & FindingPatch;

/** Null for a severity that nobody set changes nothing. */
function changing({ severity, addTags, removeTags, ...others }: FindingPatch['patch'], current: StoredFinding) {
  const { severityOverridden, taskId } = current;
  const isNeedless = severity === undefined || (severity === null && !severityOverridden && taskId !== undefined);
  return {
    ...others,
    ...(!isNeedless && { severity }),
    ...((addTags || removeTags) && { tags: tagsAfter(current, { addTags, removeTags }) }),
  };
}

/** Repeats the change on the finding as it then is when a scan came between. */
export const updateFinding = (change: Change): Promise<StoredFinding> => retry(() => attemptUpdate(change));

async function attemptUpdate({ connections, table, caller, id, patch, ifMatch }: Change): Promise<StoredFinding> {
  const [{ entity, finding: current }, sla] = await Promise.all([getFinding(table, id, true), readSla(table)]);
  await learnForDates(table, sla, [current]);
  const { reason } = patch;
  const view = findingView(current, undefined);
  const isOwn = isManual(current);
  if (isOwn) check(ManualPatch, patch, 'body');
  const change = { patch: changing(patch, current), ifMatch };
  const wanted = isOwn
    ? mergePatch(ManualFinding, view, change)
    : mergePatch(TriagedFinding, view as z.infer<typeof TriagedFinding>, change);
  await assertMayChange({ table, caller }, current, wanted ?? {});
  if (!wanted) return current;
  const { assignee, approver } = await peopleOf(table, caller, { ...patch, assigneeId: wanted.assigneeId });
  const at = now();
  const namesStatus = patch.status !== undefined;
  const decision = triage(current, wanted, { at, reason: reason ?? undefined, assignee, namesStatus, approver, sla });
  const rewritten =
    isOwn && (await writtenFields(connections, { ...view, ...wanted }, wanted.severity ?? current.severity));
  const changes = { ...decision, ...rewritten };
  const batch = table.batch();
  const why = reason ?? wanted.statusReason ?? undefined;
  const next = changeFinding({ table, batch, entity }, current, { changes, at, reason: why });
  await batch.commit();
  return next;
}

/** The statuses of work in progress; the other statuses are decisions on a risk. */
const WORK = ['open', 'in_progress', 'fixed'];

/** A viewer works on the findings that are assigned to him or his teams, and decides on nothing else. @throws insufficient_scope */
async function assertMayChange(
  { table, caller }: { table: Table; caller: Caller },
  { assignee }: StoredFinding,
  wanted: Triage,
): Promise<void> {
  if (!('role' in caller) || isStaff(caller) || isAllowed(caller, analystOf('findings'), 'change')) return;
  const { status, statusReason: _reason, ...others } = wanted;
  const isWork = status === undefined || WORK.includes(status);
  const isOnlyWork = isWork && Object.keys(others).length === 0;
  if (isOnlyWork && (await isAssignedTo(table, assignee?.id, caller.id))) return;
  const message = `A viewer may move a finding that is assigned to him to ${WORK.join(', ')}; more needs the role analyst.`;
  throw new ApiError('insufficient_scope', message);
}
