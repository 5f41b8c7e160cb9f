import type { Level, RoleArea } from '#shared/platform/auth/levels.ts';
import type { MachineKind, Role, Scope } from '#shared/platform/auth/permissions.ts';
import type { NamedRoute } from './every-route.ts';

/** The rule of an operation, for which this file has tables of its own: it asks nothing of the code that tests judge with it. */
export type Rule = Exclude<NamedRoute['access'], string>;
export type Asked = Pick<NamedRoute, 'method' | 'readOnly'>;

/** The parts of a rule; another part needs a meaning below. */
export const PARTS = ['role', 'area', 'staff', 'scope', 'machines', 'draining', 'approves', 'own', 'person'];

/** The roles that a role includes. */
const INCLUDED: Record<Exclude<Role, 'auditor'>, readonly Role[]> = {
  viewer: ['viewer'],
  analyst: ['viewer', 'analyst'],
  admin: ['viewer', 'analyst', 'admin'],
  owner: ['viewer', 'analyst', 'admin', 'owner'],
  pentester: ['pentester'],
  manager: ['pentester', 'manager'],
  platform_owner: ['pentester', 'manager', 'platform_owner'],
};

/** An auditor calls every GET of clients, and the POSTs that only read. */
const readsAll = ({ role }: Rule, { method, readOnly }: Asked): boolean =>
  role !== undefined && role !== 'owner' && (method === 'GET' || readOnly === true);

export const ofRole = (role: Role) => (rule: Rule, asked: Asked) =>
  role === 'auditor'
    ? readsAll(rule, asked)
    : [rule.role, rule.staff].some((needed) => needed !== undefined && INCLUDED[role].includes(needed));

/** A viewer who is a person. */
export const ofPerson = (rule: Rule, asked: Asked): boolean => rule.person === true || ofRole('viewer')(rule, asked);

export const ofKey =
  (scope: Scope) =>
  ({ scope: admits = [], approves }: Rule) =>
    [admits].flat().includes(scope) && approves !== true;

export const ofMachine =
  (machine: MachineKind, isDisabled = false) =>
  ({ machines = [], draining }: Rule) =>
    machines.includes(machine) && (draining === true || !isDisabled);

/** The built-in role whose operations a level opens. */
const ROLE_OF: Record<Exclude<Level, 'none' | 'own'>, Role> = {
  read: 'viewer',
  audit: 'auditor',
  write: 'analyst',
  approve: 'analyst',
  manage: 'admin',
};

const AREA_OF: Record<string, RoleArea> = { scans: 'scanning', jira: 'ticketing' };

const areaOf = ({ area, scope = [] }: Rule): string => {
  const [subject = 'organization'] = [scope].flat().map((one) => one.split(':')[0] ?? '');
  return area ?? AREA_OF[subject] ?? subject;
};

/** The rule of a custom role with these levels, or another level in all other areas. */
export const ofLevels =
  (levels: Partial<Record<RoleArea, Exclude<Level, 'own'>>>, others: Exclude<Level, 'own'>) =>
  (rule: Rule, asked: Asked): boolean => {
    const all: Record<string, Exclude<Level, 'own'> | undefined> = levels;
    const opens = (level: Exclude<Level, 'own'>) =>
      level !== 'none' &&
      !(level === 'write' && rule.approves === true) &&
      ofRole(ROLE_OF[level])({ ...rule, staff: undefined }, asked);
    return areaOf(rule) === 'any' ? [...Object.values(levels), others].some(opens) : opens(all[areaOf(rule)] ?? others);
  };

/** Staff of the provider by a grant of an administrator. */
export const byGrant = ({ staff: _, ...rule }: Rule, asked: Asked): boolean =>
  rule.approves !== true && !rule.own && !rule.person && ofRole('admin')(rule, asked);
