import { type Caller, ROLES, type Role } from '#shared/auth/permissions.ts';
import type { ServiceAccount } from '#shared/entities/service-account.ts';
import { inSeconds, nowMs } from '#shared/runtime/clock.ts';
import { ApiError, invalid } from '#shared/runtime/errors.ts';

const DAY_SECONDS = 86_400;
const YEAR_SECONDS = 366 * DAY_SECONDS;

/** Nobody can give a role above their own; `staff` stands apart, so only staff gives it. */
export function assertMayGive(caller: Caller, role: Role): void {
  const own = 'role' in caller ? caller.role : undefined;
  const mayGive = own !== undefined && (role === 'staff' ? own === 'staff' : ROLES.indexOf(role) <= ROLES.indexOf(own));
  if (!mayGive) throw new ApiError('insufficient_scope', `Giving the role ${role} needs that role.`);
}

/** @throws validation_failed: only staff are shown to clients */
export function assertStaffFields({ role, email, skills }: Pick<ServiceAccount, 'role' | 'email' | 'skills'>): void {
  if (role === 'staff') return;
  if (email !== null) throw invalid('email', 'only staff have one');
  if (skills.length > 0) throw invalid('skills', 'only staff have some');
}

/** The end of a link token's life: a day from now unless told otherwise. */
export function linkTokenEnd(expiresAt: string | undefined): string {
  if (expiresAt === undefined) return inSeconds(DAY_SECONDS);
  assertAhead(expiresAt);
  if (Date.parse(expiresAt) > nowMs() + YEAR_SECONDS * 1000) throw invalid('expiresAt', 'at most a year from now');
  return inUtc(expiresAt);
}

export function keyEnd(expiresAt: string | null): string | null {
  if (expiresAt === null) return null;
  assertAhead(expiresAt);
  return inUtc(expiresAt);
}

function assertAhead(time: string): void {
  if (Date.parse(time) <= nowMs()) throw invalid('expiresAt', 'must lie in the future');
}

/** Times are compared as texts once they are stored. */
const inUtc = (time: string): string => new Date(time).toISOString();
