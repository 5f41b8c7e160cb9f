import { engagements, engagementsInGroup } from '#shared/entities/engagement.ts';
import type { ErrorDetail } from '#shared/runtime/errors.ts';
import { tasksOf } from '#shared/scanners/group-counts.ts';
import type { Table } from '#shared/table/table.ts';

/** What uses a group: engagements that are not finished and name it, and tasks that wait for it or run in it. */
export async function usesOf(table: Table, groupId: string): Promise<ErrorDetail[]> {
  const [named, { pending, running }] = await Promise.all([
    table.tallies(engagements, engagementsInGroup(groupId)),
    tasksOf(table, groupId, true),
  ]);
  const uses = named.map(({ value }) => ({ path: 'engagementId', message: `engagement ${value}` }));
  if (pending + running > 0) uses.push({ path: 'tasks', message: `${pending + running} tasks` });
  return uses;
}
