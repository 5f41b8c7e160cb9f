import { type Caller, isAdmin } from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';
import type { ApexTask } from './apex-task.ts';

type Approval = ApexTask['approval'];

/** Only those who may approve may decide that nobody need approve any more. @throws insufficient_scope */
export function assertMayLower(caller: Caller, before: Approval, after: Approval = before): void {
  if (before !== 'required' || after !== 'none' || isAdmin(caller, 'scanning')) return;
  throw new ApiError('insufficient_scope', 'Changing approval from required to none needs the role admin.');
}
