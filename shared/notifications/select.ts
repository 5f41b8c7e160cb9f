import type { Event } from '#shared/events/event.ts';
import { SEVERITIES } from '#shared/platform/runtime/severities.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { factsOfComments } from './comments.ts';
import { type FactsBySubject, factsOf, isListed, recordsBehind } from './facts.ts';
import type { Subscription } from './subscription.ts';

/** The events that a subscription is about, with the facts of their records. */
export async function eventsFor(
  table: Table,
  { severityFloor }: Pick<Subscription, 'severityFloor'>,
  events: readonly Event[],
): Promise<{ events: Event[]; facts: FactsBySubject }> {
  const [ofRecords, ofComments] = await Promise.all([
    recordsBehind(table, events).then((records) => factsOf(table, records)),
    factsOfComments(table, events),
  ]);
  const facts = new Map([...ofRecords, ...ofComments]);
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
