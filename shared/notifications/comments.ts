import type { Event } from '#shared/events/event.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { findingComments } from '#shared/findings/finding/finding-comment.ts';
import type { Entity, Stored } from '#shared/platform/table/entity.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementNotes } from '#shared/scanning/engagements/engagement-work.ts';
import { alerts } from '#shared/soc/alerts/alert.ts';
import { alertComments } from '#shared/soc/alerts/alert-comment.ts';
import type { Facts } from './facts.ts';
import { pageOfRecord } from './pages.ts';

type Titled = Pick<Stored, 'id'> & { title: string };
type Reading = (table: Table, ids: readonly string[]) => Promise<readonly Titled[]>;

/** Comments with the field that names their record, and with the records that have titles. */
const kind = <C extends Stored>(comments: Entity<C>, field: keyof C & string, record: string, titled: Reading) => ({
  entity: comments.name,
  field,
  record,
  titled,
  /** The records of comments whose events do not name them: somebody edited the text. */
  recordsOf: async (table: Table, ids: readonly string[]): Promise<[id: string, record: string][]> =>
    (await table.findMany(comments, ids)).map((one) => [one.id, String(Reflect.get(one, field))]),
});

const KINDS = [
  kind(findingComments, 'findingId', findings.name, (table, ids) => table.findMany(findings, ids)),
  kind(alertComments, 'alertId', alerts.name, (table, ids) => table.findMany(alerts, ids)),
  kind(engagementNotes, 'engagementId', engagements.name, (table, ids) => table.findMany(engagements, ids)),
];

/** The records of comments as messages name them: the title, and the page in the console. */
export async function factsOfComments(table: Table, events: readonly Event[]): Promise<[subject: string, Facts][]> {
  const facts: [string, Facts][] = [];
  for (const { entity, field, record, recordsOf, titled } of KINDS) {
    const some = events.filter(({ data }) => data.entity === entity);
    if (some.length === 0) continue;
    const named = new Map(
      some.flatMap(({ data }) => {
        const { from, to = from } = data.fields[field] ?? {};
        return typeof to === 'string' ? [[data.id, to] as const] : [];
      }),
    );
    const others = some.map(({ data }) => data.id).filter((id) => !named.has(id));
    const recordOf = new Map([...(await recordsOf(table, [...new Set(others)])), ...named]);
    const found = await titled(table, [...new Set(recordOf.values())]);
    const titles = new Map(found.map(({ id, title }) => [id, title]));
    for (const [id, of] of recordOf)
      facts.push([`${entity}/${id}`, { title: titles.get(of), page: pageOfRecord(record, of) }]);
  }
  return facts;
}
