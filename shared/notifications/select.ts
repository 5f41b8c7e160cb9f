import type { Event } from '#shared/events/event.ts';
import { SEVERITIES } from '#shared/platform/runtime/severities.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Facts, type FactsBySubject, factsOf, isListed, recordsBehind } from './facts.ts';
import type { Subscription } from './subscription.ts';

/** Facts of the records of comments. An area that only shows lines leaves them out: it would load all comments with its code. */
export type OfComments = (table: Table, events: readonly Event[]) => Promise<[subject: string, Facts][]>;

/** The events that a subscription is about, with the facts of their records. */
export async function eventsFor(
  table: Table,
  { severityFloor }: Pick<Subscription, 'severityFloor'>,
  events: readonly Event[],
  ofComments: OfComments = async () => [],
): Promise<{ events: Event[]; facts: FactsBySubject }> {
  const [records, comments] = await Promise.all([
    recordsBehind(table, events).then((found) => factsOf(table, found)),
    ofComments(table, events),
  ]);
  const facts = new Map([...records, ...comments]);
  const isAbove = ({ subject, data }: Event): boolean => {
    if (severityFloor === null) return true;
    const severity = facts.get(subject)?.severity;
    return severity === undefined
      ? facts.has(subject) || !isListed(data.entity)
      : rankOf(severity) <= rankOf(severityFloor);
  };
  return { events: events.filter(isAbove), facts };
}

/** The most severe is the first. */
const RANKS: readonly string[] = SEVERITIES;
const rankOf = (severity: string): number => RANKS.indexOf(severity);
