import type { Access, Scope } from './permissions.ts';

/** The usual ways to allow a route. A route that people and API keys call names the scope of its subject. */
export const admin = { role: 'admin' } as const;

/** The service provider's people. */
export const staff = { role: 'staff' } as const;

export const reads = (scope: Scope) => ({ role: 'viewer', scope }) as const;

export const writes = (scope: Scope) => ({ role: 'analyst', scope }) as const;

/** The same callers, and the service provider's people. */
export const orStaff = <A extends Exclude<Access, string>>(access: A) => ({ ...access, staff: true }) as const;
