import type { StoredFinding } from '#shared/findings/finding/finding.ts';
import type { Triage } from '#shared/findings/triage/triage.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/** The statuses of work in progress; the other statuses are decisions on a risk. */
const WORK = ['open', 'in_progress', 'fixed'];

/** A viewer works on the findings that are assigned to him, and decides on nothing else. @throws insufficient_scope */
export function assertMayChange(caller: Caller, { assignee }: StoredFinding, wanted: Triage): void {
  if (!('role' in caller) || caller.role !== 'viewer') return;
  const { status, statusReason: _reason, ...others } = wanted;
  const isWork = status === undefined || WORK.includes(status);
  if (assignee?.id === caller.id && isWork && Object.keys(others).length === 0) return;
  const message = `A viewer may move a finding that is assigned to him to ${WORK.join(', ')}; more needs the role analyst.`;
  throw new ApiError('insufficient_scope', message);
}
