import * as z from 'zod';
import { Base, Role } from '#shared/credentials/role.ts';
import { orStaff, ownAdmin } from '#shared/platform/auth/access.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { approvalRoutes } from './approval-routes.ts';

const path = '/api/v1/roles';
const reader = orStaff('manager', { role: 'viewer' });

/** A custom role, or another one, from which a new role is made. */
const RoleCreate = createBody(Role, {
  basedOn: z.union([Base, Id]).default('viewer').meta({
    description: 'a built-in role, or the id of a custom role to copy',
    example: 'analyst',
  }),
}).meta({ id: 'RoleCreate' });

const Count = z.int().nonnegative();

const RolePreview = objectNamed('RolePreview', {
  gained: z
    .array(z.string())
    .meta({ description: 'the `operationId`s that the changed role opens and the role does not' }),
  lost: z.array(z.string()).meta({ description: 'the `operationId`s that the changed role no longer opens' }),
  holders: Count.meta({ description: 'accounts and people with the role, whom the change concerns' }),
  users: z
    .object({ invited: Count, active: Count, suspended: Count })
    .meta({ description: 'the people among them, by their status' }),
  ...figureLinks,
});

export const roleRoutes = defineRoutes({
  listRoles: get(path, {
    summary: 'List roles: the built-in roles, then the roles of your organization, newest first',
    description:
      '`operations` are the operations that a role opens. A built-in role has `builtIn: true` and no `createdAt`. The roles of staff ' +
      'are listed for staff.',
    access: reader,
    inPart: 'same',
    query: Pagination,
    response: pageOf(Role),
  }),
  getRole: get(`${path}/{id}`, {
    summary: 'Read a role, with the operations that it opens and the number of its holders',
    description:
      '`id` is the name of a built-in role, for example `auditor`, or the id of a role of your organization.',
    access: reader,
    inPart: 'same',
    response: Role,
  }),
  createRole: post(path, {
    summary: 'Create a role of your organization',
    description:
      'A role has a level in each area: the level of `basedOn`, or another level in `areas`. With the id of a custom role, `basedOn` ' +
      'copies that role, and `areas` changes the copy. A role opens nothing that only an owner may do, and you cannot give a level ' +
      'above your own. An organization has at most 50 roles; a name is used once.',
    access: ownAdmin,
    body: RoleCreate,
    response: Role,
  }),
  updateRole: patch(`${path}/{id}`, {
    summary: 'Change a role of your organization',
    description:
      'A merge patch: null for an area returns the area to the level of `basedOn`. The change holds within a minute for everybody ' +
      'who has the role. Built-in roles cannot change.',
    access: ownAdmin,
    body: patchBody(Role),
    response: Role,
  }),
  previewRole: post(`${path}/{id}/preview`, {
    summary: 'Preview a change of a role: which operations would its holders gain and lose?',
    description:
      'Send the body of the change; the request changes nothing, and is refused where the change would be. `links.list` has the ' +
      'lists of the people.',
    access: ownAdmin,
    readOnly: true,
    body: patchBody(Role),
    response: RolePreview,
  }),
  deleteRole: remove(`${path}/{id}`, {
    summary: 'Delete a role of your organization',
    description: 'The request is refused (`conflict`) while somebody holds the role; the message names the holders.',
    access: ownAdmin,
    response: Deletion,
  }),
  ...approvalRoutes,
});
