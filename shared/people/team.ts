import * as z from 'zod';
import { objectNamed, recordFields, text, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** A filter by a team asks the index for each member. */
export const MAX_MEMBERS = 99;
export const MAX_TEAMS = 500;

const Member = text(120);

/** People and service accounts who work on the same records. */
export const Team = objectNamed('Team', {
  ...recordFields,
  name: trimmedText(120).meta({ example: 'Payments' }),
  description: z.string().max(2000).nullable().default(null),
  leadId: Member.nullable().default(null).meta({ description: 'the lead is always a member', example: null }),
  memberIds: z
    .array(Member)
    .max(MAX_MEMBERS)
    .default([])
    .meta({ description: 'users and service accounts of this organization', example: [] }),
  scimGroupId: z.string().max(120).nullable().default(null).meta({
    description: 'a group of the directory (`GET /api/v1/teams/groups`) whose members are the members of the team',
    example: null,
  }),
});
export type Team = z.infer<typeof Team>;

export const teams = defineEntity(Team, {
  name: 'team',
  feedFields: ['name', 'description', 'leadId', 'memberIds', 'scimGroupId'],
  indexed: ({ memberIds, leadId, scimGroupId }) => ({ member: memberIds, lead: leadId, scimGroup: scimGroupId }),
  inPart: 'whole',
  search: ({ name }) => [name],
  unique: ({ name }) => ({ name: name.toLowerCase() }),
});

/** The ids of the teams of which an account is a member. */
export async function teamsOf(table: Table, account: { id: string }): Promise<string[]> {
  const page = { paginateFrom: 0, paginateSize: MAX_TEAMS, where: { member: account.id } };
  return (await table.list(teams, page)).data.map(({ id }) => id);
}

/** The ids of teams, each with its members: whose records are the records of the team. Unknown ids are left out. */
export async function peopleOfTeams(table: Table, ids: readonly string[]): Promise<Map<string, string[]>> {
  const found = await table.findMany(teams, ids);
  return new Map(found.map(({ id, memberIds }) => [id, [id, ...memberIds]]));
}

/** Whether what is assigned to the assignee is assigned to the account: to the account itself, or to a team of it. */
export async function isAssignedTo(table: Table, assignee: string | undefined, account: string): Promise<boolean> {
  if (assignee === undefined || assignee === account) return assignee !== undefined;
  return ((await table.find(teams, assignee, true))?.memberIds ?? []).includes(account);
}
