import { type Caller, type Grants, type Holder, includesAll } from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/** Nobody makes or changes a role that opens more than the own role. @throws insufficient_scope */
export function assertWithin(caller: Caller, grants: Grants): void {
  const role: Holder = { role: '', grants };
  if ('role' in caller && includesAll(caller, role)) return;
  throw new ApiError('insufficient_scope', 'The role opens more than your own role: give it levels that you have.');
}
