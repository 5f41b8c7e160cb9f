import { admin, orStaff } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed } from '#shared/platform/auth/permissions.ts';

/** A machine as a caller sees it: the id of its installation only if the caller may let machines link again. */
export const machineSeenBy = <T extends { instanceId: string | null }>(caller: Caller, machine: T): T =>
  isAllowed(caller, orStaff('manager', admin)) ? machine : { ...machine, instanceId: null };
