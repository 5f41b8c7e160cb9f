import { signal } from '@preact/signals';
import { answerOf, asTyped, client, type Refused } from '../../api/client.ts';
import { refusedBy } from '../../api/question.ts';
import type { EventsFound, LogEvent } from '../../api/types.ts';
import { queryOf } from './asked.ts';

const PER_ANSWER = 100;
/** A search on its own asks no more than so often for the first event. */
const MOST_EMPTY = 8;

type Bucket = EventsFound['histogram']['buckets'][number];

/** The events that a search has found so far, and their number by time. */
export function makeSearch(about: string) {
  const query = queryOf(about);
  const events = signal<readonly LogEvent[]>([]);
  const last = signal<EventsFound | undefined>(undefined);
  const buckets = signal<readonly Bucket[]>([]);
  const isAsking = signal(false);
  const error = signal<Refused | undefined>(undefined);

  async function ask(): Promise<void> {
    const cursor = last.value?.cursor;
    const parameters = { ...query, limit: String(PER_ANSWER), ...(cursor && { cursor }) };
    const search = new URLSearchParams(parameters).toString();
    const found = await answerOf(client.GET('/api/v1/siem/events', asTyped(search)));
    buckets.value = found.histogram.isComplete
      ? found.histogram.buckets
      : sumOf(buckets.value, found.histogram.buckets);
    events.value = [...events.value, ...found.data];
    last.value = found;
  }

  /** Asks until there are further events, or until nothing is left to look at. */
  async function more(): Promise<void> {
    if (isAsking.value) return;
    isAsking.value = true;
    const before = events.value.length;
    try {
      for (let n = 0; n < MOST_EMPTY; n++) {
        await ask();
        if (events.value.length > before || !last.value?.cursor) break;
      }
      error.value = undefined;
    } catch (refused) {
      error.value = refusedBy(refused);
    }
    isAsking.value = false;
  }

  return { events, last, buckets, isAsking, error, more };
}

/** Counts of parts of the events, added up. */
function sumOf(before: readonly Bucket[], next: readonly Bucket[]): Bucket[] {
  const counts = new Map(before.map(({ at, count }) => [at, count]));
  for (const { at, count } of next) counts.set(at, (counts.get(at) ?? 0) + count);
  return [...counts].map(([at, count]) => ({ at, count }));
}

export type LogSearch = ReturnType<typeof makeSearch>;
