import { ownAdmin } from '#shared/platform/auth/access.ts';
import { defineRoutes, get, patch, post, put, remove } from '#shared/platform/http/route.ts';
import {
  GroupBody,
  ListQuery,
  listOf,
  Nothing,
  PatchBody,
  ReadQuery,
  ResourceType,
  ScimGroupAnswer,
  ScimSchema,
  ScimUserAnswer,
  ServiceProviderConfig,
  UserBody,
} from './resources.ts';

const users = '/scim/v2/Users';
const user = '/scim/v2/Users/{id}';
const groups = '/scim/v2/Groups';
const group = '/scim/v2/Groups/{id}';

/** SCIM's own manners (RFC 7644): its statuses and errors, and attributes that the service does not keep are ignored. */
const scim = { access: ownAdmin, dialect: 'scim', lenient: true } as const;

const USER_FILTERS = '`filter` is one of `userName`, `externalId`, `id` and `active` with `eq`';

export const scimRoutes = defineRoutes({
  listScimUsers: get(users, {
    ...scim,
    summary: 'List users as SCIM resources, newest first',
    description: `${USER_FILTERS}; any other filter is refused as \`invalidFilter\`. A page has at most 200 users.`,
    query: ListQuery,
    response: listOf('ScimUserList', ScimUserAnswer),
  }),
  createScimUser: post(users, {
    ...scim,
    status: 201,
    summary: 'Add a user from a directory',
    description:
      'The user is a viewer, active at once. A person whom the service knows from elsewhere is invited instead, and decides. The address ' +
      'is the first of `emails` (the primary one, then that of the type `work`), otherwise `userName`. A user who has the address or the ' +
      '`userName` already is refused with 409: change that user instead. `timezone`, and `preferredLanguage` or else `locale`, count until the ' +
      'person chooses others; values that are not valid are ignored.',
    body: UserBody,
    response: ScimUserAnswer,
  }),
  getScimUser: get(user, {
    ...scim,
    summary: 'Get a user as a SCIM resource',
    description: 'A deactivated user is answered with `active: false`.',
    query: ReadQuery,
    response: ScimUserAnswer,
  }),
  replaceScimUser: put(user, {
    ...scim,
    summary: 'Replace a user',
    description:
      '`active: false` deactivates the user, who loses access within a minute; `active: true` brings back the same user. A person changes ' +
      'their address themselves: another one is refused as `mutability`. The role stays. Without `active` or `emails` these stay as they are.',
    body: UserBody,
    response: ScimUserAnswer,
  }),
  patchScimUser: patch(user, {
    ...scim,
    summary: 'Change a user by operations',
    description: 'RFC 7644, section 3.5.2. The result is judged like the body of `PUT`. A repeated request succeeds.',
    body: PatchBody,
    response: ScimUserAnswer,
  }),
  removeScimUser: remove(user, {
    ...scim,
    status: 204,
    summary: 'Deactivate a user',
    description: 'The same as `active: false`: the user stays in lists, and can be brought back.',
    response: Nothing,
  }),
  listScimGroups: get(groups, {
    ...scim,
    summary: 'List groups of users as SCIM resources, newest first',
    description:
      '`filter` is one of `displayName`, `externalId` and `id` with `eq`. A page has at most 20 groups. `excludedAttributes=members` leaves the members out.',
    query: ListQuery,
    response: listOf('ScimGroupList', ScimGroupAnswer),
  }),
  createScimGroup: post(groups, {
    ...scim,
    status: 201,
    summary: 'Add a group from a directory',
    description: 'A group has at most 5,000 members, who are users. It gives no role.',
    body: GroupBody,
    response: ScimGroupAnswer,
  }),
  getScimGroup: get(group, {
    ...scim,
    summary: 'Get a group as a SCIM resource',
    description: '`excludedAttributes=members` leaves the members out.',
    query: ReadQuery,
    response: ScimGroupAnswer,
  }),
  replaceScimGroup: put(group, {
    ...scim,
    summary: 'Replace a group',
    description: 'Without `members` the group has none.',
    body: GroupBody,
    response: ScimGroupAnswer,
  }),
  patchScimGroup: patch(group, {
    ...scim,
    summary: 'Change a group by operations',
    description: 'RFC 7644, section 3.5.2. A repeated request succeeds: a member is there once, or not.',
    body: PatchBody,
    response: ScimGroupAnswer,
  }),
  removeScimGroup: remove(group, {
    ...scim,
    status: 204,
    summary: 'Delete a group',
    description: 'The users stay.',
    response: Nothing,
  }),
  getScimConfig: get('/scim/v2/ServiceProviderConfig', {
    ...scim,
    summary: 'Read what this service supports of SCIM',
    description: 'RFC 7643, section 5.',
    response: ServiceProviderConfig,
  }),
  listScimSchemas: get('/scim/v2/Schemas', {
    ...scim,
    summary: 'Read the attributes of users and groups',
    description: 'RFC 7643, section 7. Other attributes are ignored.',
    response: listOf('ScimSchemaList', ScimSchema),
  }),
  listScimResourceTypes: get('/scim/v2/ResourceTypes', {
    ...scim,
    summary: 'Read the types of SCIM resources',
    description: 'RFC 7643, section 6.',
    response: listOf('ScimResourceTypeList', ResourceType),
  }),
});
