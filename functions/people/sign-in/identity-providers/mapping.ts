import { roles } from '#shared/credentials/role.ts';
import type { Mapping } from '#shared/people/identity-provider.ts';
import { isId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { Claims } from './protocol.ts';

/** The role of people for whom no row of a mapping matches. */
export const LEAST_ROLE = 'viewer';

/**
 * The role that the claims give. A row with a role that is gone does not match. Without all claims of the mapping nobody
 * knows what is missing: then no role is taken away.
 * @returns undefined where the role stays
 */
export async function mappedRole(
  table: Table,
  mapping: readonly Mapping[],
  claims: Claims,
): Promise<string | undefined> {
  if (mapping.length === 0) return undefined;
  for (const { claim, equals, roleId } of mapping) {
    if (!valuesOf(claims, claim)?.includes(equals)) continue;
    if (!isId(roleId) || (await table.find(roles, roleId, true))) return roleId;
  }
  return mapping.every(({ claim }) => valuesOf(claims, claim)) ? LEAST_ROLE : undefined;
}

/** The values of a claim as texts; undefined where the claim is missing. */
function valuesOf(claims: Claims, name: string): string[] | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : name.split('.').reduce<unknown>(inside, claims);
  return value === undefined || value === null ? undefined : [value].flat().map(String);
}

const inside = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
