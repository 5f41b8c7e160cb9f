import { log } from '#shared/platform/runtime/log.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type ScimGroup, scimGroups } from './scim-group.ts';
import { MAX_MEMBERS, MAX_TEAMS, type Team, teams } from './team.ts';

/** Each member is a row of the index, and a transaction takes a hundred rows. */
const AT_ONCE = 30;

/** Gives a team these members, as far as there is room. A lead who is no member leads no longer. */
async function giveMembers(table: Table, id: string, membersOf: (team: Team) => readonly string[]): Promise<Team> {
  for (;;) {
    let isDone = true;
    const team = await table.modify(teams, id, (current) => {
      const wanted = [...new Set(membersOf(current))].slice(0, MAX_MEMBERS);
      const gone = current.memberIds.filter((one) => !wanted.includes(one)).slice(0, AT_ONCE);
      const kept = current.memberIds.filter((one) => !gone.includes(one));
      const added = wanted.filter((one) => !kept.includes(one)).slice(0, AT_ONCE - gone.length);
      const memberIds = [...kept, ...added];
      isDone = memberIds.length === wanted.length && wanted.every((one) => memberIds.includes(one));
      if (gone.length + added.length === 0) return undefined;
      const { leadId } = current;
      return { memberIds, leadId: leadId !== null && memberIds.includes(leadId) ? leadId : null };
    });
    if (isDone) return team;
  }
}

/** Whether an account is a member of each of these teams. Teams that are gone count for nothing. */
export type Memberships = ReadonlyMap<string, boolean>;

/** Makes an account a member of teams, or not, as a provider says. A full team takes nobody, and a team of a group follows the group alone. */
export async function followMemberships(table: Table, account: string, wanted: Memberships): Promise<void> {
  const found = await table.findMany(teams, [...wanted.keys()], true);
  const differing = found.filter(
    ({ id, memberIds, scimGroupId }) => scimGroupId === null && memberIds.includes(account) !== wanted.get(id),
  );
  for (const { id } of differing)
    await giveMembers(table, id, ({ memberIds }) => {
      const others = memberIds.filter((one) => one !== account);
      if (wanted.get(id) && others.length >= MAX_MEMBERS) log.warn('a team is full', { team: id });
      return wanted.get(id) ? [...others, account] : others;
    });
}

const allOf = { paginateFrom: 0, paginateSize: MAX_TEAMS };

const teamsOfGroup = async (table: Table, groupId: string) =>
  (await table.list(teams, { ...allOf, where: { scimGroup: groupId } })).data;

/** The members of a group become the members of its teams: the first ones of a group that is larger than a team. */
export async function followGroup(table: Table, { id, members }: Pick<ScimGroup, 'id' | 'members'>): Promise<void> {
  for (const team of await teamsOfGroup(table, id))
    await giveMembers(table, team.id, ({ scimGroupId, memberIds }) => (scimGroupId === id ? members : memberIds));
}

/** Reads the group after the link was written: a change of the group meanwhile sees the link, or is seen here. */
export async function followLinkedGroup(table: Table, team: Team): Promise<Team> {
  const { scimGroupId } = team;
  if (scimGroupId === null) return team;
  const group = await table.find(scimGroups, scimGroupId, true);
  return group
    ? giveMembers(table, team.id, () => group.members)
    : table.modify(teams, team.id, () => ({ scimGroupId: null }));
}

/** Teams of a group that is gone keep their members. */
export async function unlinkGroup(table: Table, groupId: string): Promise<void> {
  for (const { id } of await teamsOfGroup(table, groupId))
    await table.modify(teams, id, (team) => (team.scimGroupId === groupId ? { scimGroupId: null } : undefined));
}
