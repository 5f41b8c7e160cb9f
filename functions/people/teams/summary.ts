import { assets } from '#shared/assets/asset/asset.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { openRiskOf } from '#shared/exposure/applications/open-risk.ts';
import { OPEN_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { teams } from '#shared/people/team.ts';
import { filtered, listed, withLists } from '#shared/platform/http/figures.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Counts the work and the property of a team and its members, by bits of the index. */
export async function teamSummary(table: Table, id: string) {
  const { name, memberIds } = await table.get(teams, id);
  const people = [id, ...memberIds];
  const owned = { paginateFrom: 0, paginateSize: 1, where: { owner: people } };
  const [risk, ownAssets, ownApplications] = await Promise.all([
    openRiskOf(table, { name: 'assigneeId', values: people }),
    table.list(assets, owned),
    table.list(applications, owned),
  ]);
  const figures = {
    id,
    name,
    members: memberIds.length,
    openFindings: risk.open,
    overdue: risk.overdue,
    assets: ownAssets.totalCount,
    applications: ownApplications.totalCount,
  };
  const findings = (filter: string) => filtered('/api/v1/findings')(`${filter} team:${id}`);
  return withLists(figures, {
    members: null,
    openFindings: (severity) => findings(`status:${OPEN_STATUSES.join()} severity:${severity}`),
    overdue: findings(`due<${now().slice(0, 10)}`),
    assets: listed('/api/v1/assets', { teamId: id }),
    applications: listed('/api/v1/software/applications', { teamId: id }),
  });
}
