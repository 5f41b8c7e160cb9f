import { assignedTo } from '#shared/organizations/assigned.ts';
import { teams } from '#shared/people/team.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** @throws conflict that names what the team has */
export async function deleteTeam(table: Table, id: string) {
  const team = await table.get(teams, id, true);
  const uses = Object.entries(await assignedTo(table, id)).flatMap(([kind, n]) => (n > 0 ? [`${n} ${kind}`] : []));
  if (uses.length > 0)
    throw conflict(`The team has ${uses.join(', ')}: hand them over first (POST /api/v1/teams/{id}/hand-over).`);
  return table.delete(teams, team);
}
