import type { Caller } from '../auth/permissions.ts';

const mayAdminister = (caller: Caller): boolean => 'role' in caller && ['admin', 'staff'].includes(caller.role);

/** A machine as a caller sees it: the id of its installation only if the caller may let machines link again. */
export const machineSeenBy = <T extends { instanceId: string | null }>(caller: Caller, machine: T): T =>
  mayAdminister(caller) ? machine : { ...machine, instanceId: null };
