import { Base, Role, roles, type StoredRole } from '#shared/credentials/role.ts';
import { type USER_STATUSES, users } from '#shared/people/user.ts';
import { type Caller, CLIENT_ROLES, isStaff, ROLES } from '#shared/platform/auth/permissions.ts';
import { putGrants, removeGrants } from '#shared/platform/auth/role-grants.ts';
import { listed, withLists } from '#shared/platform/http/figures.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { conflict, fixedLimit, notFound } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { approvalHandlers } from './approvals.ts';
import { assertUnheld, holdersOf, unheldChecks } from './holders.ts';
import { operationsOf } from './operations.ts';
import type { roleRoutes } from './routes.ts';
import { assertWithin } from './rules.ts';
import { builtInRole, customRole } from './show.ts';

type Routes = typeof roleRoutes;
type UserStatus = (typeof USER_STATUSES)[number];

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

type Changing = Parameters<typeof mergePatch>[2];

/** A role with its holders, and its fields as a patch leaves them; none where it changes nothing. */
async function changedRole({ table, caller }: { table: Table; caller: Caller }, id: string, changing: Changing) {
  const role = await customOne(table, id);
  const holders = await holdersOf(table);
  const changes = mergePatch(Role, customRole(role, holders), changing);
  if (!changes) return { role, holders };
  const { name, description, basedOn, areas } = { ...role, ...changes };
  const next = { name, description, basedOn: basedOn ?? role.basedOn, areas };
  assertWithin(caller, role);
  assertWithin(caller, next);
  return { role, holders, next };
}

async function previewRole({ table, caller, params: { id }, body }: Call<Routes['previewRole']>) {
  const { role, holders, next } = await changedRole({ table, caller }, id, { patch: body });
  const before = operationsOf({ role: id, grants: role });
  const after = operationsOf({ role: id, grants: next ?? role });
  const countOf = async (status: UserStatus) => {
    const page = { paginateFrom: 0, paginateSize: 1, filter: { status }, where: { role: id } };
    return (await table.list(users, page)).totalCount;
  };
  const [invited, active, suspended] = await Promise.all([countOf('invited'), countOf('active'), countOf('suspended')]);
  const preview = {
    gained: after.filter((name) => !before.includes(name)),
    lost: before.filter((name) => !after.includes(name)),
    holders: holders.get(id) ?? 0,
    users: { invited, active, suspended },
  };
  const inStatus = (status: string) => listed('/api/v1/users', { status, roleId: id });
  return withLists(preview, { holders: null, users: inStatus });
}

const updateRole = ({ table, caller, params, body, ifMatch }: Call<Routes['updateRole']>): Promise<Role> =>
  retry(async () => {
    const { role, holders, next } = await changedRole({ table, caller }, params.id, { patch: body, ifMatch });
    if (!next) return customRole(role, holders);
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

export const roleHandlers: Handlers<Routes> = {
  listRoles,
  getRole,
  createRole,
  updateRole,
  previewRole,
  deleteRole,
  ...approvalHandlers,
};
