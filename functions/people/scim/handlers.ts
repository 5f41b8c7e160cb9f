import { scimGroups } from '#shared/people/scim-group.ts';
import { users } from '#shared/people/user.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { config, resourceTypes, schemaResources } from './about.ts';
import { createGroup, listGroups, patchGroup, removeGroup, replaceGroup, shownGroup } from './groups.ts';
import { listAnswer } from './list.ts';
import type { scimRoutes } from './routes.ts';
import { createUser, leave, listUsers, patchUser, replaceUser, shownUser } from './users.ts';

export const scimHandlers: Handlers<typeof scimRoutes> = {
  listScimUsers: listUsers,
  createScimUser: createUser,
  getScimUser: async ({ connections, table, params }) =>
    shownUser(connections.settings.BASE_URL, await table.get(users, params.id, true)),
  replaceScimUser: (call) => replaceUser(call, call.body),
  patchScimUser: patchUser,
  async removeScimUser(call) {
    await leave(call);
    return {};
  },
  listScimGroups: listGroups,
  createScimGroup: createGroup,
  getScimGroup: async ({ connections, table, params, query }) =>
    shownGroup(connections.settings.BASE_URL, await table.get(scimGroups, params.id, true), query),
  replaceScimGroup: replaceGroup,
  patchScimGroup: patchGroup,
  removeScimGroup: removeGroup,
  getScimConfig: () => config,
  listScimSchemas: () => listAnswer(schemaResources, schemaResources.length),
  listScimResourceTypes: () => listAnswer(resourceTypes, resourceTypes.length),
};
