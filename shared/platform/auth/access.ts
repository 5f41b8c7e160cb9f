import type { RoleArea } from './levels.ts';
import type { Access, Scope, StaffRole } from './permissions.ts';

/** The usual access of routes. A route for people and API keys names the API scope of its subject. */
export const admin = { role: 'admin' } as const;

/** Access for those who administer an area besides the organization itself. */
export const adminOf = <A extends RoleArea>(area: A) => ({ role: 'admin', area }) as const;

export const analystOf = <A extends RoleArea>(area: A) => ({ role: 'analyst', area }) as const;

/** For administrators themselves: the provider's staff who act for them by a grant are refused. */
export const ownAdmin = { role: 'admin', own: true } as const;

/** Access for the provider's staff who run what clients share. */
export const manager = { staff: 'manager' } as const;

/** Access for the provider's staff who decide about whole organizations. */
export const platformOwner = { staff: 'platform_owner' } as const;

export const reads = (scope: Scope) => ({ role: 'viewer', scope }) as const;

/** Reads scans, and their engagements and machines; a key that reads what scans found need not be able to start any. */
export const readsScans = { role: 'viewer', area: 'scanning', scope: ['findings:read', 'scans:trigger'] } as const;

export const writes = (scope: Scope) => ({ role: 'analyst', scope }) as const;

/** The same access, extended to API keys that may only import. */
export const orImporters = <A extends { scope: Scope }>(access: A) =>
  ({ ...access, scope: [access.scope, 'imports:write'] }) as const;

/** The same access, extended to a role of the service provider's staff. */
export const orStaff = <A extends Exclude<Access, string>, R extends StaffRole>(staff: R, access: A) =>
  ({ ...access, staff }) as const;

/** The operation is an approval: it needs an account, because an API key approves nothing. */
export const approves = <A extends Exclude<Access, string>>(access: A) => ({ ...access, approves: true }) as const;

/** The same access, where a request may accept a risk; `approverOf` in `shared/findings/triage/people.ts` holds the rule. */
export const acceptsRisks = <A extends Exclude<Access, string>>(access: A) =>
  ({ ...access, approves: 'risks' }) as const;
