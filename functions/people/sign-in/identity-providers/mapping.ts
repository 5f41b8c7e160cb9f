import { roles } from '#shared/credentials/role.ts';
import { type IdentityProvider, type Mapping, NO_ROLE } from '#shared/people/identity-provider.ts';
import type { Memberships } from '#shared/people/team-members.ts';
import type { User } from '#shared/people/user.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Claims } from './protocol.ts';

type Rules = Pick<IdentityProvider, 'mapping'> & Partial<Pick<IdentityProvider, 'unmatchedRoleId'>>;
export type Held = User['roles'][number];

/**
 * The role that the claims give, to somebody who has `held`. A row with a role that is gone does not match. Without all claims of the
 * mapping nobody knows what is missing: then no role is taken away. Only the rows of a mapping that names parts change the part.
 * @returns undefined where the role stays, null where nobody without a match signs in
 */
export async function mappedRole(
  table: Table,
  { mapping, unmatchedRoleId }: Rules,
  claims: Claims,
  held?: Held,
): Promise<Held | null | undefined> {
  const rows = mapping.flatMap(({ roleId, ...row }) => (roleId === undefined ? [] : [{ ...row, roleId }]));
  if (rows.length === 0) return undefined;
  const givesParts = rows.some(({ scope }) => scope !== undefined);
  for (const { roleId, scope, ...row } of rows) {
    if (!holds(row, claims)) continue;
    if (!(await exists(table, roleId))) continue;
    return givesParts ? { roleId, ...(scope && { scope }) } : { ...held, roleId };
  }
  if (!rows.every(({ claim }) => valuesOf(claims, claim))) return undefined;
  const least = await leastRole(table, { unmatchedRoleId });
  return least && { ...held, ...least };
}

const exists = async (table: Table, roleId: string): Promise<boolean> =>
  !isId(roleId) || (await table.find(roles, roleId, true)) !== undefined;

/** The role of a new person to whom no row gives one; null: such a person is refused. */
export async function leastRole(
  table: Table,
  { unmatchedRoleId = 'viewer' }: Pick<Rules, 'unmatchedRoleId'>,
): Promise<Held | null> {
  if (unmatchedRoleId === NO_ROLE) return null;
  return { roleId: (await exists(table, unmatchedRoleId)) ? unmatchedRoleId : 'viewer' };
}

/** The teams of a mapping of which somebody with these claims is a member, or is not. A team whose claims are missing stays as it is. */
export function mappedTeams(mapping: readonly Mapping[], claims: Claims): Memberships {
  const teams = Map.groupBy(
    mapping.filter(({ teamId }) => teamId !== undefined),
    ({ teamId = '' }) => teamId,
  );
  const known = [...teams].filter(
    ([, rows]) => rows.some((row) => holds(row, claims)) || rows.every(({ claim }) => valuesOf(claims, claim)),
  );
  return new Map(known.map(([id, rows]) => [id, rows.some((row) => holds(row, claims))]));
}

const holds = ({ claim, equals }: Pick<Mapping, 'claim' | 'equals'>, claims: Claims): boolean =>
  valuesOf(claims, claim)?.includes(equals) === true;

/** The values of a claim as texts; undefined where the claim is missing. */
function valuesOf(claims: Claims, name: string): string[] | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(inside, claims);
  return value === undefined || value === null ? undefined : [value].flat().map(String);
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
