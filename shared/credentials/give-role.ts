import {
  type Caller,
  type Holder,
  includesAll,
  includesRole,
  isStaff,
  isStaffRole,
} from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/**
 * A caller cannot give a role that opens more than its own. Only staff give roles of staff; among staff, only a
 * `platform_owner` gives roles of an organization.
 */
export function assertMayGive(caller: Caller, given: Holder): void {
  if (!('role' in caller) || !mayGive(caller, given)) throw new ApiError('insufficient_scope', whoGives(given));
}

const whoGives = ({ role, grants }: Holder): string =>
  grants
    ? 'Only a caller who may do all that this role allows can give it.'
    : `Only a caller with the role ${role} or above can give it.`;

/** Administrators also revoke accounts of staff; for other accounts a caller must be able to give the role. @throws insufficient_scope */
export function assertMayRevoke(caller: Caller, given: Holder): void {
  if (isStaff(caller) || !isStaffRole(given.role)) assertMayGive(caller, given);
}

function mayGive(own: Holder, given: Holder): boolean {
  if (own.part) return false;
  if (own.role === 'platform_owner') return true;
  if (isStaffRole(given.role)) return includesRole(own.role, given.role);
  return !isStaffRole(own.role) && includesAll(own, given);
}
