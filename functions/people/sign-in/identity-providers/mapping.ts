import { roles } from '#shared/credentials/role.ts';
import type { Mapping } from '#shared/people/identity-provider.ts';
import type { Memberships } from '#shared/people/team-members.ts';
import type { User } from '#shared/people/user.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Claims } from './protocol.ts';

/** The role of people for whom no row of a mapping matches. */
export const LEAST_ROLE = 'viewer';

type Held = User['roles'][number];

/**
 * The role that the claims give, to somebody who has `held`. A row with a role that is gone does not match. Without all claims of the
 * mapping nobody knows what is missing: then no role is taken away. Only the rows of a mapping that names parts change the part.
 * @returns undefined where the role stays
 */
export async function mappedRole(
  table: Table,
  mapping: readonly Mapping[],
  claims: Claims,
  held?: Held,
): Promise<Held | undefined> {
  const rows = mapping.flatMap(({ roleId, ...row }) => (roleId === undefined ? [] : [{ ...row, roleId }]));
  if (rows.length === 0) return undefined;
  const givesParts = rows.some(({ scope }) => scope !== undefined);
  for (const { roleId, scope, ...row } of rows) {
    if (!holds(row, claims)) continue;
    if (isId(roleId) && !(await table.find(roles, roleId, true))) continue;
    return givesParts ? { roleId, ...(scope && { scope }) } : { ...held, roleId };
  }
  return rows.every(({ claim }) => valuesOf(claims, claim)) ? { ...held, roleId: LEAST_ROLE } : undefined;
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
