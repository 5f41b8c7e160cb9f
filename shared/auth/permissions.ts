/** The scopes of API keys, exactly as the interface lists them (section 5). */
export const SCOPES = {
  'assets:read': 'list and get hosts, web apps, cloud resources, EDR devices',
  'findings:read': 'list, search, get, export findings',
  'findings:write': 'create and update findings and remediations',
  'vulnerabilities:read': 'list, search, get, export vulnerabilities',
  'vulnerabilities:write': 'update vulnerability status, risk acceptance, assignee',
  'scans:trigger': 'trigger vulnerability, DAST and SAST scans',
  'soc:read': 'list and get alerts and incidents',
  'soc:write': 'create and update alerts and incidents',
  'jira:read': 'list and get ticketing tickets and rules',
  'jira:write': 'create and update ticketing tickets',
  'reports:read': 'list and download generated reports',
  'reports:write': 'generate reports and create schedules',
} as const;

export type Scope = keyof typeof SCOPES;

/** Roles of persons and service accounts. `analyst` includes `viewer`, `admin` includes both; `staff` stands apart. */
export const ROLES = ['viewer', 'analyst', 'admin', 'staff'] as const;
export type Role = (typeof ROLES)[number];

export const MACHINE_KINDS = ['scanner', 'apex', 'agent', 'collector', 'integrator'] as const;
export type MachineKind = (typeof MACHINE_KINDS)[number];

/**
 * The callers that a route admits. `public` needs no credential, `authenticated` any valid one. Otherwise one of these
 * must fit: a role (persons and service accounts; `staff: true` admits staff as well), a scope (API keys), a kind of
 * machine (`enabled: true` refuses the disabled ones).
 */
export type Access =
  | 'public'
  | 'authenticated'
  | { role?: Role; staff?: true; scope?: Scope | readonly Scope[]; machines?: readonly MachineKind[]; enabled?: true };

/** The caller of a request, read from its credential. */
export type Caller = { id: string; name: string; organizationId: string } & (
  | { kind: 'user' | 'service_account'; role: Role }
  | { kind: 'api_key'; scopes: readonly Scope[] }
  | { kind: 'machine'; machine: MachineKind; disabled?: true; generation?: number }
);

export function isAllowed(caller: Caller, access: Access): boolean {
  if (access === 'public' || access === 'authenticated') return true;
  if (caller.kind === 'machine')
    return access.machines?.includes(caller.machine) === true && !(access.enabled && caller.disabled);
  if (caller.kind === 'api_key') return scopesOf(access).some((scope) => caller.scopes.includes(scope));
  if (access.staff && isStaff(caller)) return true;
  return access.role !== undefined && includesRole(caller.role, access.role);
}

/** The scopes any one of which admits an API key. */
const scopesOf = ({ scope = [] }: Exclude<Access, string>): readonly Scope[] => [scope].flat();

/** Whether the caller belongs to the service provider. */
export const isStaff = (caller: Caller): boolean => 'role' in caller && caller.role === 'staff';

/** Whether the caller may approve what is dangerous: exploitation, shared scanners, tasks of appliances. */
export const mayApprove = (caller: Caller): boolean => 'role' in caller && caller.role === 'admin';

const includesRole = (has: Role, needs: Role): boolean =>
  has === 'staff' || needs === 'staff' ? has === needs : ROLES.indexOf(has) >= ROLES.indexOf(needs);

/** The credential that a route needs, for the error message and the API reference. */
export function describeAccess(access: Access): string {
  if (access === 'public') return 'no credential';
  if (access === 'authenticated') return 'any valid credential';
  const ways = [
    access.role && `the role ${access.role}${access.staff ? ' or staff' : ''}`,
    access.scope && `an API key with the scope ${scopesOf(access).join(' or ')}`,
    access.machines && `a linked ${access.machines.join(' or ')}${access.enabled ? ' that is enabled' : ''}`,
  ];
  return ways.filter(Boolean).join(', or ');
}
