import { accountOf } from '#shared/findings/triage/people.ts';
import { handOver } from '#shared/organizations/hand-over.ts';
import { scimGroups } from '#shared/people/scim-group.ts';
import { MAX_MEMBERS, MAX_TEAMS, Team, teams } from '#shared/people/team.ts';
import { followLinkedGroup } from '#shared/people/team-members.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { belongingsOf } from './belongings.ts';
import { deleteTeam } from './delete-team.ts';
import type { teamRoutes } from './routes.ts';
import { teamSummaries, teamSummary } from './summary.ts';

type Routes = typeof teamRoutes;
type People = Pick<Team, 'leadId' | 'memberIds'>;

/** The members, with the lead. @throws validation_failed for somebody whom the organization does not know */
async function checkedMembers(
  { table, caller }: { table: Table; caller: Caller },
  { leadId, memberIds }: People,
  before: readonly string[] = [],
): Promise<string[]> {
  const members = [...new Set([...memberIds, ...(leadId === null ? [] : [leadId])])];
  if (members.length > MAX_MEMBERS) throw invalid('memberIds', `must be at most ${MAX_MEMBERS} with the lead`);
  const known = new Set(before);
  const added = members.flatMap((id) => (known.has(id) ? [] : [{ id, at: memberIds.indexOf(id) }]));
  await Promise.all(
    added.map(({ id, at }) => accountOf(table, caller, { path: at < 0 ? 'leadId' : `memberIds.${at}`, id })),
  );
  return members;
}

type Linked = Pick<Team, 'scimGroupId' | 'leadId'>;

/** A group that is linked decides the members alone. @throws validation_failed */
async function assertLink(table: Table, { scimGroupId, leadId }: Linked, given: readonly string[]): Promise<void> {
  if (scimGroupId === null) return;
  if (given.length > 0) throw invalid('memberIds', 'must be left out: the members are those of the group scimGroupId');
  const group = await table.find(scimGroups, scimGroupId, true);
  if (!group) throw invalid('scimGroupId', 'must be the id of a group of GET /api/v1/teams/groups');
  if (group.members.length > MAX_MEMBERS)
    throw invalid('scimGroupId', `has ${group.members.length} members, and a team at most ${MAX_MEMBERS}`);
  if (leadId !== null && !group.members.includes(leadId)) throw invalid('leadId', 'must be a member of the group');
}

async function createTeam({ table, caller, body }: Call<Routes['createTeam']>): Promise<Team> {
  const { totalCount } = await table.list(teams, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_TEAMS) throw fixedLimit('An organization', MAX_TEAMS, 'teams');
  await assertLink(table, body, body.memberIds);
  const team = await table.create(teams, { ...body, memberIds: await checkedMembers({ table, caller }, body) });
  return followLinkedGroup(table, team);
}

const updateTeam = ({ table, caller, params, body, ifMatch }: Call<Routes['updateTeam']>): Promise<Team> =>
  retry(async () => {
    const team = await table.get(teams, params.id, true);
    const changes = mergePatch(Team, team, { patch: body, ifMatch });
    if (!changes) return followLinkedGroup(table, team);
    await assertLink(table, { ...team, ...changes }, changes.memberIds ?? []);
    const memberIds = await checkedMembers({ table, caller }, { ...team, ...changes }, team.memberIds);
    return followLinkedGroup(table, await table.update(teams, team, { ...changes, memberIds }));
  });

export const teamHandlers: Handlers<Routes> = {
  listTeams: ({ table, caller, query: { memberId, ...page } }) =>
    table.list(teams, {
      ...page,
      ...(memberId !== undefined && { where: { member: memberId === 'me' ? caller.id : memberId } }),
    }),
  listDirectoryGroups: ({ table, query }) =>
    showPage(table.list(scimGroups, query), (groups) =>
      groups.map(({ id, displayName, externalId, members }) => ({
        id,
        name: displayName,
        externalId,
        memberCount: members.length,
      })),
    ),
  searchTeams: ({ table, query }) => table.list(teams, query),
  getTeam: ({ table, params }) => table.get(teams, params.id),
  async listTeamSummaries({ table, query }) {
    const page = await table.list(teams, query);
    return { ...page, data: await teamSummaries(table, page.data) };
  },
  getTeamSummary: ({ table, params }) => teamSummary(table, params.id),
  createTeam,
  updateTeam,
  getBelongings: ({ table, params }) => belongingsOf(table, params.id),
  handOver: ({ connections, table, caller, params, body }) =>
    handOver({ connections, table, caller }, { from: params.id, ...body }),
  deleteTeam: ({ table, params }) => deleteTeam(table, params.id),
};
