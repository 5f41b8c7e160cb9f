/** The API scopes, exactly as the interface lists them (section 5). */
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
  'reports:read': 'read dashboards of several areas; list and download generated reports, once there are any',
  'reports:write': 'generate reports and create schedules',
} as const;

export type Scope = keyof typeof SCOPES;

/** Roles of an organization's persons and service accounts; each role includes the roles before it. */
export const CLIENT_ROLES = ['viewer', 'analyst', 'admin'] as const;
export type ClientRole = (typeof CLIENT_ROLES)[number];

/**
 * Roles of the service provider's staff; each includes those before it, and none includes a role of an organization.
 * A `pentester` works on the engagements that clients assign. A `manager` also runs shared scanners and appliances and makes
 * accounts of staff. A `platform_owner` also sets limits, and copies, restores and deletes organizations.
 */
export const STAFF_ROLES = ['pentester', 'manager', 'platform_owner'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const ROLES = [...CLIENT_ROLES, ...STAFF_ROLES] as const;
export type Role = (typeof ROLES)[number];

export const MACHINE_KINDS = ['scanner', 'apex', 'agent', 'collector', 'integrator'] as const;
export type MachineKind = (typeof MACHINE_KINDS)[number];

/**
 * The callers that a route admits. `public` needs no credential, `authenticated` any valid one. Otherwise the caller
 * must have one of these: a role of an organization or of staff (persons and service accounts), an API scope (API
 * keys), a kind of machine. A disabled machine is refused everywhere unless `draining: true` lets it finish and report
 * the tasks it holds. `approves`: the operation is an approval, which an API key never gives (`true`), or some of its
 * bodies accept a risk (`risks`): a key then names the account that approves.
 */
export type Access =
  | 'public'
  | 'authenticated'
  | {
      role?: ClientRole;
      staff?: StaffRole;
      scope?: Scope | readonly Scope[];
      machines?: readonly MachineKind[];
      /** Only people, of any role: the operation is about the caller's own profile or sessions. */
      person?: true;
      draining?: true;
      approves?: true | 'risks';
    };

/** The caller of a request, read from its credential. */
export type Caller = { id: string; name: string; organizationId: string } & (
  | { kind: 'user'; role: Role; session?: string }
  | { kind: 'service_account'; role: Role }
  | { kind: 'api_key'; scopes: readonly Scope[] }
  | { kind: 'machine'; machine: MachineKind; disabled?: true; generation?: number }
);

export function isAllowed(caller: Caller, access: Access): boolean {
  if (access === 'public') return true;
  if (isDisabled(caller) && !(typeof access === 'object' && access.draining)) return false;
  if (access === 'authenticated') return true;
  if (access.person) return caller.kind === 'user';
  if (caller.kind === 'machine') return access.machines?.includes(caller.machine) === true;
  if (caller.kind === 'api_key')
    return access.approves !== true && scopesOf(access).some((scope) => caller.scopes.includes(scope));
  return includesRole(CLIENT_ROLES, caller.role, access.role) || includesRole(STAFF_ROLES, caller.role, access.staff);
}

const isDisabled = (caller: Caller): boolean => caller.kind === 'machine' && caller.disabled === true;

/** The API scopes; each of them admits an API key. */
const scopesOf = ({ scope = [] }: Exclude<Access, string>): readonly Scope[] => [scope].flat();

export const isStaffRole = (role: Role): role is StaffRole => STAFF_ROLES.some((one) => one === role);

/** Whether the caller belongs to the service provider. */
export const isStaff = (caller: Caller): boolean => 'role' in caller && isStaffRole(caller.role);

/** Whether the caller is an administrator, who also approves dangerous work: exploitation, shared scanners, tasks of appliances. */
export const isAdmin = (caller: Caller): boolean => 'role' in caller && caller.role === 'admin';

/** Whether the caller may approve the acceptance of a risk: an account of its organization that decides on findings. */
export const mayAcceptRisks = (caller: Caller | { role: Role }): boolean =>
  'role' in caller && includesRole(CLIENT_ROLES, caller.role, 'analyst');

const includesRole = (roles: readonly Role[], has: Role, needs: Role | undefined): boolean =>
  needs !== undefined && roles.indexOf(has) >= roles.indexOf(needs);

/** The credential that a route needs, for the error message and the API reference. */
export function describeAccess(access: Access): string {
  if (access === 'public') return 'no credential';
  if (access === 'authenticated') return 'any valid credential';
  const ways = [
    access.person && 'a person who is signed in',
    access.role && `the role ${access.role}`,
    access.staff && `the staff role ${access.staff}`,
    access.scope && `an API key with the scope ${scopesOf(access).join(' or ')}`,
    access.machines && `a linked ${access.machines.join(' or ')}${access.draining ? '' : ' that is enabled'}`,
  ];
  const rule = access.approves && `; ${APPROVALS[`${access.approves}`]}`;
  return ways.filter(Boolean).join(', or ') + (rule ?? '');
}

const APPROVALS = {
  true: 'an API key approves nothing',
  risks: 'an API key accepts a risk only in the name of an account (`approverId`)',
};

/** The refusal of a caller without access, with what the operation needs. */
export const refusalOf = (caller: Caller, access: Access): string =>
  isDisabled(caller)
    ? 'This machine is disabled: until it is enabled again, it may only finish and report the tasks that it holds.'
    : `This operation needs ${describeAccess(access)}.`;
