import { assets } from '#shared/assets/asset/asset.ts';
import { MAX_ZONES, zones } from '#shared/assets/zones/zone.ts';
import type { PartScope } from '#shared/credentials/part.ts';
import { teams } from '#shared/people/team.ts';
import { nearWord } from '#shared/platform/filter/names.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { applications } from './application.ts';

/** @param field names the part in the request @throws validation_failed for a zone, an application or a team that does not exist */
export async function assertPartExists(table: Table, part: PartScope | null | undefined, field: string): Promise<void> {
  const applicationIds = [...new Set(part?.applicationIds)];
  const teamIds = [...new Set(part?.teamIds)];
  const [foundApplications, foundTeams] = await Promise.all([
    table.findMany(applications, applicationIds),
    table.findMany(teams, teamIds),
    part?.zones && assertZones(table, part.zones, `${field}.zones`),
  ]);
  if (foundApplications.length < applicationIds.length)
    throw invalid(`${field}.applicationIds`, 'must be ids of applications');
  if (foundTeams.length < teamIds.length) throw invalid(`${field}.teamIds`, 'must be ids of teams');
}

/** A slip in the name of a zone would give a role that sees nothing. */
async function assertZones(table: Table, names: readonly string[], field: string): Promise<void> {
  const known = await zoneNames(table);
  const folded = new Set(known.map(caseless));
  const n = names.findIndex((name) => !folded.has(caseless(name)));
  if (n < 0) return;
  const name = names[n] ?? '';
  const near = nearWord(name, known);
  const instead = near === undefined ? 'create the zone first (POST /api/v1/zones)' : `did you mean ${near}?`;
  throw invalid(
    `${field}.${n}`,
    `must be the name of a zone; no zone or asset has ${JSON.stringify(name)}: ${instead}`,
  );
}

/** The zones that have a record, and those that only assets name. */
async function zoneNames(table: Table): Promise<string[]> {
  const [{ data }, counted] = await Promise.all([
    table.list(zones, { paginateFrom: 0, paginateSize: MAX_ZONES }),
    table.tallies(assets, 'zone'),
  ]);
  return [...data.map(({ name }) => name), ...counted.flatMap(({ value }) => value ?? [])];
}
