import { isDeepStrictEqual } from 'node:util';
import { type ScimGroup, scimGroups } from '#shared/people/scim-group.ts';
import { followGroup, unlinkGroup } from '#shared/people/team-members.ts';
import { users } from '#shared/people/user.ts';
import type { Call } from '#shared/platform/http/route.ts';
import { check } from '#shared/platform/http/validate.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { equalityOf, listAnswer, pageOf, rangeOf } from './list.ts';
import { patched } from './patch.ts';
import { GROUP_SCHEMA, GroupBody, type ReadQuery } from './resources.ts';
import type { scimRoutes } from './routes.ts';

/** A group may have thousands of members, all of which are in the answer. */
const MAX_GROUPS = 20;

/** A group as SCIM shows it (RFC 7643, section 4.2). */
export function shownGroup(baseUrl: string, group: ScimGroup, { excludedAttributes = '' }: ReadQuery = {}) {
  const { id, displayName, externalId, members, createdAt, updatedAt, version } = group;
  const isLong = /(^|,)\s*members\s*(,|$)/i.test(excludedAttributes);
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId && { externalId }),
    displayName,
    ...(!isLong && { members: members.map((value) => ({ value })) }),
    meta: {
      resourceType: 'Group' as const,
      created: createdAt,
      lastModified: updatedAt,
      location: `${baseUrl}/scim/v2/Groups/${id}`,
      version: `W/"${version}"`,
    },
  };
}

export async function listGroups({ connections, table, query }: Call<typeof scimRoutes.listScimGroups>) {
  const shown = (group: ScimGroup) => shownGroup(connections.settings.BASE_URL, group, query);
  const wanted = equalityOf(query.filter, ['displayName', 'externalId', 'id']);
  if (wanted) {
    const { attribute: field, value: given } = wanted;
    const value = field === 'displayName' ? given.toLowerCase() : given;
    const group = await (field === 'id'
      ? table.find(scimGroups, value, true)
      : table.findUnique(scimGroups, { field, value }, true));
    return listAnswer(group ? [shown(group)] : [], group ? 1 : 0);
  }
  const range = rangeOf(query, MAX_GROUPS);
  const { data, totalCount } = await table.list(scimGroups, pageOf(range));
  return listAnswer(data.slice(0, range.size).map(shown), totalCount, range.startIndex);
}

const factsOf = ({ displayName, externalId = null, members = [] }: GroupBody) => ({
  displayName,
  externalId,
  members: [...new Set(members.map(({ value }) => value))],
});

/** @throws validation_failed for a member that is no user */
async function assertUsers(table: Table, ids: readonly string[]): Promise<void> {
  const found = new Set((await table.findMany(users, ids, true)).map(({ id }) => id));
  const strange = ids.filter((id) => !found.has(id));
  if (strange.length > 0) throw invalid('members', `there is no user ${strange[0]}`);
}

export async function createGroup({ connections, table, body }: Call<typeof scimRoutes.createScimGroup>) {
  const facts = factsOf(body);
  await assertUsers(table, facts.members);
  const [id = ''] = await table.reserve(scimGroups, 1);
  const batch = table.batch();
  const group = batch.create(scimGroups, table.stamp<ScimGroup>({ id, ...facts }));
  await batch.commit();
  return shownGroup(connections.settings.BASE_URL, group);
}

/** Makes a group what the body says, and its teams: also where a request before changed the group, and ended. */
async function changeGroup(table: Table, current: ScimGroup, body: GroupBody): Promise<ScimGroup> {
  const group = await changed(table, current, body);
  await followGroup(table, group);
  return group;
}

/** A body that says what the group is already changes nothing. */
async function changed(table: Table, current: ScimGroup, body: GroupBody): Promise<ScimGroup> {
  const facts = factsOf(body);
  const { displayName, externalId, members } = current;
  if (isDeepStrictEqual(facts, { displayName, externalId, members })) return current;
  const has = new Set(members);
  await assertUsers(
    table,
    facts.members.filter((id) => !has.has(id)),
  );
  return table.update(scimGroups, current, facts);
}

/** @throws not_found, conflict for a name that another group has */
export const replaceGroup = ({ connections, table, params, body }: Call<typeof scimRoutes.replaceScimGroup>) =>
  retry(async () => {
    const group = await changeGroup(table, await table.get(scimGroups, params.id, true), body);
    return shownGroup(connections.settings.BASE_URL, group);
  });

/** RFC 7644, section 3.5.2: the same as PUT of the patched resource. Writers at the same time lose no member. */
export const patchGroup = ({ connections, table, params, body }: Call<typeof scimRoutes.patchScimGroup>) =>
  retry(async () => {
    const current = await table.get(scimGroups, params.id, true);
    const result = check(GroupBody, patched(shownGroup('', current), body.Operations), 'body');
    return shownGroup(connections.settings.BASE_URL, await changeGroup(table, current, result));
  });

export async function removeGroup({ table, params }: Call<typeof scimRoutes.removeScimGroup>) {
  await table.delete(scimGroups, await table.get(scimGroups, params.id, true));
  await unlinkGroup(table, params.id);
  return {};
}
