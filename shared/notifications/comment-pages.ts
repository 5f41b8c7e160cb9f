import type { Event } from '#shared/events/event.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import type { Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alertComments } from '#shared/soc/alerts/alert-comment.ts';
import type { Facts } from './facts.ts';
import { pageOf, pageOfComment } from './pages.ts';

/** The pages of comments whose events do not name their record: somebody edited the text. */
export async function pagesOfComments(table: Table, events: readonly Event[]): Promise<[subject: string, Facts][]> {
  const idsOf = (entity: string): string[] => [
    ...new Set(
      events.filter((event) => event.data.entity === entity && pageOf(event) === null).map(({ data }) => data.id),
    ),
  ];
  const [ofFindings, ofAlerts] = await Promise.all([
    table.findMany(findingComments, idsOf(findingComments.name)),
    table.findMany(alertComments, idsOf(alertComments.name)),
  ]);
  return [...pagesIn(findingComments.name, ofFindings), ...pagesIn(alertComments.name, ofAlerts)];
}

const pagesIn = (entity: string, comments: readonly Stored[]) =>
  comments.map((one): [string, Facts] => [`${entity}/${one.id}`, { page: pageOfComment(one) }]);
