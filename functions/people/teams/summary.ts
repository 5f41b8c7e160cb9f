import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { openRisksOf } from '#shared/exposure/applications/open-risk.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { type Team, teams } from '#shared/people/team.ts';
import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { currentDay } from '#shared/platform/runtime/clock.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Lists that are counted at the same time. */
const AT_ONCE = 5;

/** Counts the work and the property of teams and their members, by bits of the index. */
export async function teamSummaries(table: Table, found: readonly Team[]) {
  const people = found.map(({ id, memberIds }) => [id, ...memberIds]);
  const countOwned = <T extends Stored, D extends keyof T>(entity: Entity<T, D>) =>
    eachAtOnce(people, AT_ONCE, async (owner) => {
      const page = await table.list(entity, { paginateFrom: 0, paginateSize: 1, where: { owner } });
      return page.totalCount;
    });
  const [risks, ownAssets, ownApplications] = await Promise.all([
    openRisksOf(
      table,
      people.map((values) => ({ name: 'assigneeId', values })),
    ),
    countOwned(assets),
    countOwned(applications),
  ]);
  return found.flatMap(({ id, name, memberIds }, n) => {
    const risk = risks[n];
    if (!risk) return [];
    const figures = {
      id,
      name,
      members: memberIds.length,
      openFindings: risk.open,
      overdue: risk.overdue,
      assets: ownAssets[n] ?? 0,
      applications: ownApplications[n] ?? 0,
    };
    return [withLists(figures, listsOf(id))];
  });
}

function listsOf(teamId: string) {
  const findings = (filter: string) => filtered('/api/v1/findings')(`${filter} team:${teamId}`);
  return {
    members: null,
    openFindings: (severity: string) => findings(`status:${OPEN_STATUSES.join()} severity:${severity}`),
    overdue: findings(`due<${currentDay()}`),
    assets: listed('/api/v1/assets', { teamId }),
    applications: listed('/api/v1/software/applications', { teamId }),
  };
}

export async function teamSummary(table: Table, id: string) {
  const [summary] = await teamSummaries(table, [await table.get(teams, id)]);
  if (!summary) throw new Error('nothing is counted');
  return summary;
}
