import type { Context } from '#shared/platform/table/context.ts';
import { readCursor, writeCursor } from '#shared/soc/hunting/cursor.ts';
import { eventsBefore, openSearch, type Question, readNewest } from '#shared/soc/hunting/read-newest.ts';
import type { Hunt } from '#shared/soc/hunting/rule-test.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { eventIn } from '#shared/soc/siem/segments.ts';
import type { Page, Place } from './file.ts';

/** Events that are read at once: about 10 MB. */
const PAGE = 10_000;

export type FoundEvent = SiemEvent & { id: string };

type Asked = { question: Question; place: Place; hunt?: Hunt | undefined };

/** The next events of a search, newest first, and how far it is. Moves the cursor of the place. */
export async function nextEvents(
  context: Context,
  { question, place, hunt }: Asked,
): Promise<Omit<Page, 'texts'> & { events: FoundEvent[] }> {
  const cursor = place.cursor === undefined ? undefined : readCursor(place.cursor);
  const search = await openSearch(context, question, { cursor, hunt });
  const { all, next } = await readNewest(context, { ...search, limit: PAGE, seen: () => undefined });
  const events = all.slice(0, PAGE).map(({ id, line }) => ({ id, ...eventIn(line) }));
  if (next) place.cursor = writeCursor(next);
  const { from } = search.cursor;
  const [reached] = next?.before ?? next?.after ?? [from];
  const total = eventsBefore(search, from);
  return { events, done: next ? eventsBefore(search, reached) : total, total, isLast: next === undefined };
}
