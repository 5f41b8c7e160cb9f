import type { Part } from '../table/entity.ts';
import { AREA_NAMES, BUILT_IN, covers, isAtLeast, type Level, type RoleArea } from './levels.ts';

/** The API scopes: the twelve of the interface (section 5), and `imports:write` (docs/decisions/0097-imports-only.md). */
export const SCOPES = {
  'assets:read': 'list and get hosts, web apps, cloud resources, EDR devices',
  'findings:read': 'list, search, get, export findings',
  'findings:write': 'create and update findings and remediations',
  'imports:write': 'import reports, ask the gate, end branches; decide on no finding',
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

type Subject<S> = S extends `${infer Name}:${string}` ? Name : never;
const SUBJECTS: Record<Subject<Scope>, RoleArea> = {
  assets: 'assets',
  findings: 'findings',
  imports: 'findings',
  vulnerabilities: 'vulnerabilities',
  scans: 'scanning',
  soc: 'soc',
  jira: 'ticketing',
  reports: 'reports',
};

/** The area of an API scope. */
export const areaOfScope = (scope: Scope): RoleArea => SUBJECTS[scope.split(':')[0] as Subject<Scope>];

/** Besides the built-in roles an organization has custom roles, whose ids are those of their records. */
type ClientRole = keyof typeof BUILT_IN;
export const CLIENT_ROLES = Object.keys(BUILT_IN) as [ClientRole, ...ClientRole[]];

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
 * keys), a kind of machine. A custom role has the level of the operation's `area`: by default the area of its scope, or
 * `organization`; `any`: the handler checks the area of the records. A disabled machine is refused everywhere unless
 * `draining: true` lets it finish and report the tasks it holds. `approves`: the operation is an approval, which an API
 * key never gives (`true`), or some of its bodies accept a risk (`risks`): a key then names the account that approves. `own`: only
 * people of the organization, because the operation creates a credential, a grant or a person's role; neither these nor
 * approvals are open to the provider's staff who act by a grant.
 */
export type Access =
  | 'public'
  | 'authenticated'
  | {
      role?: Exclude<ClientRole, 'auditor'>;
      area?: RoleArea | 'any';
      staff?: StaffRole;
      scope?: Scope | readonly Scope[];
      machines?: readonly MachineKind[];
      /** Only people, of any role: the operation is about the caller's own profile or sessions. */
      person?: true;
      draining?: true;
      approves?: true | 'risks';
      own?: true;
    };

/** Staff of the provider who act in a client's organization by a grant of the client; `home` is their own organization. */
type Support = { grant: string; home: string };

/** The levels of a custom role. Areas that it does not name have the level of the built-in role on which it is based. */
export type Grants = { basedOn: Exclude<ClientRole, 'owner'>; areas: Partial<Record<RoleArea, Level>> };

/**
 * A person or account with its role: the id of a built-in role, or of a custom role with its grants. With a `part` the role holds
 * for this part of the organization only, and opens the operations whose routes say how they are restricted.
 */
export type Holder = { role: string; grants?: Grants | undefined; part?: Part | undefined };

/** The repositories and branches about which a key or token may report; a name of `refs` may have `*`. */
export type Bound = {
  repositories: string[];
  refs?: string[] | undefined;
  /** The branches with which a report may be compared, besides the default branch. */
  bases?: string[] | undefined;
  /** It may end every branch of the repositories, whatever `refs` has. */
  endsBranches?: true | undefined;
};

/** The caller of a request, read from its credential. */
export type Caller = { id: string; name: string; organizationId: string } & (
  | ({ kind: 'user'; session?: string; support?: Support | undefined } & Holder)
  | ({ kind: 'service_account'; support?: Support | undefined } & Holder)
  | { kind: 'api_key'; scopes: readonly Scope[]; bound?: Bound | undefined }
  | { kind: 'machine'; machine: MachineKind; disabled?: true; generation?: number }
);

/** Whether a caller may report what a scan found, but decide on no finding. */
export const mayOnlyImport = (caller: Caller): boolean =>
  caller.kind === 'api_key' && !caller.scopes.includes('findings:write');

/** Whether an operation only reads, so that an auditor may call it. */
export type Use = 'read' | 'change';

export function isAllowed(caller: Caller, access: Access, use: Use = 'read'): boolean {
  if (access === 'public') return true;
  if (isDisabled(caller) && !(typeof access === 'object' && access.draining)) return false;
  if (access === 'authenticated') return true;
  if (access.person) return caller.kind === 'user' && !caller.support;
  if (caller.kind === 'machine') return access.machines?.includes(caller.machine) === true;
  if (caller.kind === 'api_key')
    return access.approves !== true && scopesOf(access).some((scope) => caller.scopes.includes(scope));
  if (caller.support && (access.own || access.approves === true)) return false;
  return holds(caller, access, use);
}

/** Whether a role opens an operation. */
export function holds(holder: Holder, access: Access, use: Use): boolean {
  if (typeof access === 'string') return true;
  const area = areaOf(access);
  const areas = area === 'any' ? AREA_NAMES : [area];
  return areas.some((one) => opensAt(levelIn(holder, one), access, use)) || includesRole(holder.role, access.staff);
}

/** The area in which a custom role has a level for an operation. */
export const areaOf = (access: Exclude<Access, string>): RoleArea | 'any' =>
  access.area ?? scopesOf(access).map(areaOfScope)[0] ?? 'organization';

function opensAt(level: Level, { role, approves }: Exclude<Access, string>, use: Use): boolean {
  if (role === undefined) return false;
  if (level === 'audit') return use === 'read' && role !== 'owner';
  if (role === 'analyst') return isAtLeast(level, approves === true ? 'approve' : 'write');
  return isAtLeast(level, BUILT_IN[role]);
}

/** The level of a role in an area: none of a role that was deleted. */
export function levelIn({ role, grants }: Holder, area: RoleArea): Level {
  if (grants) return grants.areas[area] ?? BUILT_IN[grants.basedOn];
  return isClientRole(role) ? BUILT_IN[role] : 'none';
}

const isClientRole = (role: string): role is ClientRole => Object.hasOwn(BUILT_IN, role);

const isDisabled = (caller: Caller): boolean => caller.kind === 'machine' && caller.disabled === true;

/** The API scopes; each of them admits an API key. */
const scopesOf = ({ scope = [] }: Exclude<Access, string>): readonly Scope[] => [scope].flat();

export const isStaffRole = (role: string): role is StaffRole => STAFF_ROLES.some((one) => one === role);

/** Whether the caller belongs to the service provider. */
export const isStaff = (caller: Caller): boolean => 'role' in caller && isStaffRole(caller.role);

/** Whether the caller is an administrator of an area, who also approves its dangerous work: exploitation, shared scanners, tasks of appliances. */
export const isAdmin = (caller: Caller, area: RoleArea): boolean =>
  'role' in caller && isAtLeast(levelIn(caller, area), 'manage');

/** Whether the caller may approve the acceptance of a risk: an account of its organization that decides on the records of the area. */
export const mayAcceptRisks = (caller: Caller | Holder, area: RoleArea = 'findings'): boolean =>
  'role' in caller && isAtLeast(levelIn(caller, area), 'approve');

/** Whether a role of an organization opens all that another opens. */
export const includesAll = (own: Holder, other: Holder): boolean =>
  AREA_NAMES.every((area) => covers(levelIn(own, area), levelIn(other, area)));

/** Whether a role of staff includes another. */
export const includesRole = (has: string, needs: StaffRole | undefined): boolean =>
  needs !== undefined && isStaffRole(has) && STAFF_ROLES.indexOf(has) >= STAFF_ROLES.indexOf(needs);

/** The credential that a route needs, for the error message and the API reference. */
export function describeAccess(access: Access, byGrant = true): string {
  if (access === 'public') return 'no credential';
  if (access === 'authenticated') return 'any valid credential';
  const ways = [
    access.person && 'a person who is signed in',
    access.role && `the role ${access.role}`,
    access.staff && `the staff role ${access.staff}`,
    access.scope && `an API key with the scope ${scopesOf(access).join(' or ')}`,
    access.machines && `a linked ${access.machines.join(' or ')}${access.draining ? '' : ' that is enabled'}`,
  ];
  const rules = [access.approves && APPROVALS[`${access.approves}`], access.own && byGrant && OWN];
  return [ways.filter(Boolean).join(', or '), ...rules].filter(Boolean).join('; ');
}

const APPROVALS = {
  true: 'an API key approves nothing',
  risks: 'an API key accepts a risk only in the name of an account (`approverId`)',
};

const OWN = 'not by a support grant';

/** The refusal of a caller without access, with what the operation needs. */
export function refusalOf(caller: Caller, access: Access): string {
  if (isDisabled(caller))
    return 'This machine is disabled: until it is enabled again, it may only finish and report the tasks that it holds.';
  const needs = `This operation needs ${describeAccess(access, 'support' in caller && caller.support !== undefined)}.`;
  return caller.kind === 'api_key' && !admitsKeys(access) ? `${needs} ${NO_ROLE}` : needs;
}

const admitsKeys = (access: Access): boolean => typeof access === 'string' || scopesOf(access).length > 0;

const NO_ROLE =
  'An API key has no role: sign in, or send the access token of a service account (POST /api/v1/oauth/token).';
