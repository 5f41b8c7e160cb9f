import type { ErrorDetail } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements, engagementsInGroup } from '#shared/scanning/engagements/engagement.ts';
import { tasksOf } from '#shared/scanning/fleet/group-counts.ts';

/** The uses of a group: open engagements that name it, and its waiting and running tasks. */
export async function usesOf(table: Table, groupId: string): Promise<ErrorDetail[]> {
  const [named, { pending, running }] = await Promise.all([
    table.tallies(engagements, engagementsInGroup(groupId)),
    tasksOf(table, groupId, true),
  ]);
  const uses = named.map(({ value }) => ({ path: 'engagementId', message: `engagement ${value}` }));
  if (pending + running > 0) uses.push({ path: 'tasks', message: `${pending + running} tasks` });
  return uses;
}
