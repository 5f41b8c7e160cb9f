import { withPresentNames } from '#shared/people/present-names.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { ListQuery } from '#shared/platform/table/list.ts';
import { collectionOf } from './find.ts';
import { lastSeenWith, usualScopes } from './last-seen.ts';
import { findingListItem } from './view.ts';

/** A page of findings as lists show them: on the branch that the query names, else on default branches. */
export async function listFindings({ table, connections }: Context, query: ListQuery) {
  const read = collectionOf(table, query).then((entity) => table.list(entity, query));
  const [page, known] = await Promise.all([read, usualScopes(table)]);
  const [seen, rows] = await Promise.all([
    lastSeenWith({ bucket: connections.bucket, table, known }, page.data),
    withPresentNames(table, 'assignee', page.data),
  ]);
  return { ...page, data: rows.map((row) => findingListItem(row, seen.get(row.id))) };
}
