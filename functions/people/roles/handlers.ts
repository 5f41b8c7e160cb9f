import { Base, Role, roles, type StoredRole } from '#shared/credentials/role.ts';
import { CLIENT_ROLES, isStaff, ROLES } from '#shared/platform/auth/permissions.ts';
import { putGrants, removeGrants } from '#shared/platform/auth/role-grants.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { conflict, fixedLimit, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertUnheld, holdersOf, unheldChecks } from './holders.ts';
import type { roleRoutes } from './routes.ts';
import { assertWithin } from './rules.ts';
import { builtInRole, customRole } from './show.ts';

type Routes = typeof roleRoutes;

const MAX_ROLES = 50;

async function listRoles({ table, caller, query }: Call<Routes['listRoles']>) {
  const [{ data }, holders] = await Promise.all([
    table.list(roles, { paginateFrom: 0, paginateSize: MAX_ROLES }),
    holdersOf(table),
  ]);
  const builtIn = isStaff(caller) ? ROLES : CLIENT_ROLES;
  return showPage(pageOfArray([...builtIn, ...data], query), (found) =>
    found.map((role) => (typeof role === 'string' ? builtInRole(role, holders) : customRole(role, holders))),
  );
}

async function getRole({ table, params: { id } }: Call<Routes['getRole']>): Promise<Role> {
  const holders = await holdersOf(table);
  const builtIn = ROLES.find((name) => name === id);
  return builtIn ? builtInRole(builtIn, holders) : customRole(await table.get(roles, id), holders);
}

async function createRole({ table, caller, body }: Call<Routes['createRole']>): Promise<Role> {
  const { totalCount } = await table.list(roles, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_ROLES) throw fixedLimit('An organization', MAX_ROLES, 'roles');
  const draft = await copied(table, body);
  assertWithin(caller, draft);
  const role = await table.create(roles, draft, (batch, made) => batch.write(putGrants(table, made)));
  return customRole(role, new Map());
}

type RoleBody = Call<Routes['createRole']>['body'];
type RoleDraft = Pick<StoredRole, 'name' | 'description' | 'basedOn' | 'areas'>;

/** A new role, with the levels of the custom role that it copies. @throws not_found */
async function copied(table: Table, { basedOn, areas, ...body }: RoleBody): Promise<RoleDraft> {
  const builtIn = Base.safeParse(basedOn).data;
  if (builtIn !== undefined) return { ...body, basedOn: builtIn, areas };
  const base = await table.get(roles, basedOn, true);
  return { ...body, basedOn: base.basedOn, areas: { ...base.areas, ...areas } };
}

const updateRole = ({ table, caller, params, body, ifMatch }: Call<Routes['updateRole']>): Promise<Role> =>
  retry(async () => {
    const role = await customOne(table, params.id);
    const holders = await holdersOf(table);
    const changes = mergePatch(Role, customRole(role, holders), { patch: body, ifMatch });
    if (!changes) return customRole(role, holders);
    const { name, description, basedOn, areas } = { ...role, ...changes };
    const next = { name, description, basedOn: basedOn ?? role.basedOn, areas };
    assertWithin(caller, role);
    assertWithin(caller, next);
    const updated = await table.update(roles, role, next, (batch, after) => batch.write(putGrants(table, after)));
    return customRole(updated, holders);
  });

async function deleteRole({ table, caller, params }: Call<Routes['deleteRole']>) {
  const role = await customOne(table, params.id);
  assertWithin(caller, role);
  await assertUnheld(table, role.id);
  return table.delete(roles, role, (batch) =>
    batch.write(removeGrants(table, role.id), ...unheldChecks(table, role.id)),
  );
}

/** @throws conflict for a built-in role, not_found */
async function customOne(table: Table, id: string): Promise<StoredRole> {
  if (ROLES.some((name) => name === id)) throw conflict('A built-in role cannot change: create a role based on it.');
  const role = await table.find(roles, id, true);
  if (!role) throw notFound(roles.name, id);
  return role;
}

export const roleHandlers: Handlers<Routes> = { listRoles, getRole, createRole, updateRole, deleteRole };
