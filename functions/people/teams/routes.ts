import * as z from 'zod';
import { AccountDeletion } from '#shared/credentials/account-deletion.ts';
import { presentOnly } from '#shared/findings/view/present-only.ts';
import { HandOver } from '#shared/organizations/hand-over-records.ts';
import { Team } from '#shared/people/team.ts';
import { admin, ownAdmin } from '#shared/platform/auth/access.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Listing, numberIn, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, Id, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { Severity } from '#shared/reports/report/report.ts';

const path = '/api/v1/teams';
const team = '/api/v1/teams/{id}';
const viewer = { role: 'viewer' } as const;
const count = z.int().nonnegative();

const TeamListing = Listing.extend({
  memberId: z.string().min(1).max(120).optional().meta({ description: 'the teams of this account; `me`' }),
});

/** Each summary reads rows of the index of its own. */
const SummaryListing = Listing.extend({ paginateSize: numberIn(z.int().min(1).max(100)).default(20) });

const TeamSummary = objectNamed('TeamSummary', {
  id: Id,
  name: z.string(),
  members: count,
  openFindings: z.record(Severity, count),
  overdue: count.meta({ description: 'open findings that were due yesterday or earlier (UTC)' }),
  assets: count.meta({ description: 'assets that the team or one of its members owns' }),
  applications: count,
  ...figureLinks,
});

const kinds = ['findings', 'vulnerabilities', 'alerts', 'incidents', 'remediations', 'assets', 'applications'] as const;
const DirectoryGroup = objectNamed('DirectoryGroup', {
  id: Id,
  name: z.string(),
  externalId: z.string().nullable().meta({ description: 'as the directory says' }),
  memberCount: count,
});

const Named = z.object({ id: Id, name: z.string() });

const Belongings = objectNamed('Belongings', {
  id: Id,
  name: z.string(),
  assigned: z
    .record(z.enum(kinds), count)
    .meta({ description: 'records that are assigned to the account or are its own' }),
  made: AccountDeletion.shape.made,
  teamsLed: z.array(Named),
  savedFilters: z.array(Named),
  rules: z
    .array(Named.extend({ kind: z.enum(['suppression_rule', 'ticket_rule', 'asset_tag_rule', 'application_rule']) }))
    .meta({ description: 'rules that the account made; they stay in force' }),
});

const HandOverRequest = objectNamed('HandOverRequest', {
  to: z.string().min(1).max(120).meta({ description: 'an active user or service account, or a team' }),
});

export const teamRoutes = defineRoutes({
  listTeams: get(path, {
    summary: 'List the teams of your organization, newest first',
    description: '`GET /api/v1/teams/{id}/summary` counts what a team has to do and owns.',
    access: viewer,
    inPart: 'same',
    query: TeamListing,
    response: pageOf(Team),
  }),
  listDirectoryGroups: get(`${path}/groups`, {
    summary: 'List the groups that the directory of your organization sends, newest first',
    description:
      'The directory keeps them by SCIM. `scimGroupId` of a team names the group whose members are its members.',
    access: admin,
    query: Listing,
    response: pageOf(DirectoryGroup),
  }),
  searchTeams: get(`${path}/search`, {
    summary: 'Search teams by the words of their names',
    description: 'A word finds names in which a word begins so; the newest teams come first.',
    access: viewer,
    inPart: 'same',
    query: SearchQuery,
    response: searchPageOf(Team),
  }),
  listTeamSummaries: get(`${path}/summary`, {
    summary: 'Compare teams: the open findings of each, and what it owns',
    description:
      'The newest teams first, 20 at once unless `paginateSize` says more. Each summary is that of `GET /api/v1/teams/{id}/summary`, with the ' +
      'list of each figure.',
    access: viewer,
    inPart: 'seen',
    query: SummaryListing,
    response: pageOf(TeamSummary),
  }),
  getTeam: get(team, {
    summary: 'Read a team',
    description: 'The lead is one of the members. People find their own teams in `teamIds` of `GET /api/v1/users/me`.',
    access: viewer,
    inPart: 'same',
    response: Team,
  }),
  getTeamSummary: get(`${team}/summary`, {
    summary: 'Count the open findings of a team, and what it owns',
    description:
      'Counts what is assigned to the team and to its members; `links.list` has the list of each figure. The numbers are exact, and ' +
      'their cost does not depend on how many records they count.',
    access: viewer,
    instead: presentOnly,
    inPart: 'seen',
    response: TeamSummary,
  }),
  getBelongings: get(`${team}/belongings`, {
    summary: 'List what a team or an account owns and has to do, leads and made',
    description:
      '`id` is of a team, a user or a service account, for example of somebody who leaves. `made` names at most 500 credentials of each kind that ' +
      'still work. `POST /api/v1/teams/{id}/hand-over` moves what is `assigned`, and `teamsLed`.',
    access: ownAdmin,
    response: Belongings,
  }),
  handOver: post(`${team}/hand-over`, {
    summary: 'Give everything of an account or a team to somebody else',
    description:
      '`id` is of a team, a user or a service account, also of one that has left. Tasks move findings, vulnerabilities, alerts and incidents, with the same rules as a PATCH of each; the answer names them. ' +
      'Remediations, assets and applications, 200 of each, and the lead of teams move at once. A team leads no team: these are ' +
      'without a lead.',
    access: ownAdmin,
    body: HandOverRequest,
    response: HandOver,
  }),
  createTeam: post(path, {
    summary: 'Create a team',
    description:
      'A name is used once; letter case does not matter. The id of a team is an `assigneeId` of findings, vulnerabilities, alerts, ' +
      'incidents and remediations, and an `ownerId` of assets and applications. Viewers work on findings that are assigned to ' +
      'their teams.',
    access: ownAdmin,
    body: createBody(Team),
    response: Team,
  }),
  updateTeam: patch(team, {
    summary: 'Change a team',
    description:
      'A merge patch; `memberIds` is replaced whole, and the lead stays a member. With `scimGroupId` the members are those of the group.',
    access: ownAdmin,
    body: patchBody(Team),
    response: Team,
  }),
  deleteTeam: remove(team, {
    summary: 'Delete a team',
    description:
      'The request is refused (`conflict`) while something is assigned to the team or is its own, and counts it: `POST /api/v1/teams/{id}/hand-over` moves it.',
    access: ownAdmin,
    response: Deletion,
  }),
});
