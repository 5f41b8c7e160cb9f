import * as z from 'zod';
import { Team } from '#shared/people/team.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { Listing, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
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

export const teamRoutes = defineRoutes({
  listTeams: get(path, {
    summary: 'List the teams of your organization, newest first',
    description: '`GET /api/v1/teams/{id}/summary` counts what a team has to do and owns.',
    access: viewer,
    query: TeamListing,
    response: pageOf(Team),
  }),
  searchTeams: get(`${path}/search`, {
    summary: 'Search teams by the words of their names',
    access: viewer,
    query: SearchQuery,
    response: searchPageOf(Team),
  }),
  getTeam: get(team, { summary: 'Read a team', access: viewer, response: Team }),
  getTeamSummary: get(`${team}/summary`, {
    summary: 'Count the open findings of a team, and what it owns',
    description:
      'Counts what is assigned to the team and to its members; `links.list` has the list of each figure. The numbers are exact, and ' +
      'their cost does not depend on how many records they count.',
    access: viewer,
    response: TeamSummary,
  }),
  createTeam: post(path, {
    summary: 'Create a team',
    description:
      'A name is used once; letter case does not matter. The id of a team is an `assigneeId` of findings, vulnerabilities, alerts, ' +
      'incidents and remediations, and an `ownerId` of assets and applications. Viewers work on findings that are assigned to ' +
      'their teams.',
    access: admin,
    body: createBody(Team),
    response: Team,
  }),
  updateTeam: patch(team, {
    summary: 'Change a team',
    description: 'A merge patch; `memberIds` is replaced whole, and the lead stays a member.',
    access: admin,
    body: patchBody(Team),
    response: Team,
  }),
  deleteTeam: remove(team, {
    summary: 'Delete a team',
    description: 'The request is refused (`conflict`) while something is assigned to the team or is its own.',
    access: admin,
    response: Deletion,
  }),
});
