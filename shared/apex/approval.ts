import { type Caller, mayApprove } from '../auth/permissions.ts';
import type { ApexTask } from '../entities/apex-task.ts';
import { ApiError } from '../runtime/errors.ts';

type Approval = ApexTask['approval'];

/** Only those who may approve may decide that nobody need approve any more. @throws insufficient_scope */
export function assertMayLower(caller: Caller, before: Approval, after: Approval = before): void {
  if (before !== 'required' || after !== 'none' || mayApprove(caller)) return;
  throw new ApiError('insufficient_scope', 'Changing approval from required to none needs the role admin.');
}
