import type { PartScope } from '#shared/credentials/part.ts';
import { teams } from '#shared/people/team.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from './application.ts';

/** @param field names the part in the request @throws validation_failed for an application or a team that does not exist */
export async function assertPartExists(table: Table, part: PartScope | null | undefined, field: string): Promise<void> {
  const applicationIds = [...new Set(part?.applicationIds)];
  const teamIds = [...new Set(part?.teamIds)];
  const [foundApplications, foundTeams] = await Promise.all([
    table.findMany(applications, applicationIds),
    table.findMany(teams, teamIds),
  ]);
  if (foundApplications.length < applicationIds.length)
    throw invalid(`${field}.applicationIds`, 'must be ids of applications');
  if (foundTeams.length < teamIds.length) throw invalid(`${field}.teamIds`, 'must be ids of teams');
}
