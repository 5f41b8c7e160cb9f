import { type Caller, isStaff, isStaffRole, ROLES, type Role } from '#shared/platform/auth/permissions.ts';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/**
 * A caller cannot give a role above its own. Only staff give roles of staff; among staff, only a `platform_owner` gives
 * roles of an organization.
 */
export function assertMayGive(caller: Caller, role: Role): void {
  const own = 'role' in caller ? caller.role : undefined;
  if (own === undefined || !mayGive(own, role))
    throw new ApiError('insufficient_scope', `Only a caller with the role ${role} or above can give it.`);
}

/**
 * An administrator revokes every account of the organization; staff revoke the roles that they may give. @throws
 * insufficient_scope
 */
export function assertMayRevoke(caller: Caller, role: Role): void {
  if (isStaff(caller)) assertMayGive(caller, role);
}

const mayGive = (own: Role, role: Role): boolean =>
  own === 'platform_owner' || (isStaffRole(own) === isStaffRole(role) && ROLES.indexOf(role) <= ROLES.indexOf(own));
