import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { readCursor, writeCursor } from '#shared/soc/hunting/cursor.ts';
import { EventExportInput, type EventsExported, USUAL_EVENT_COLUMNS } from '#shared/soc/hunting/export.ts';
import { eventsBefore, openSearch, readNewest } from '#shared/soc/hunting/read-newest.ts';
import { huntForText } from '#shared/soc/hunting/text-test.ts';
import { eventIn } from '#shared/soc/siem/segments.ts';
import type { Source } from './file.ts';

/** Events that are read at once: about 10 MB. */
const PAGE = 10_000;
/** Events that the result of the task shows, and of each so much of its text. */
const SHOWN = 50;
const MAX_SHOWN_TEXT = 300;

/** The events of a search, newest first. They have no ordinals: the place is the cursor of the search. */
export function eventsSource(work: Work): Source {
  const { format, columns, ...question } = EventExportInput.parse(work.task.input);
  let hunt: ReturnType<typeof huntForText> | undefined;
  const textOf = format === 'csv' ? csvText(columns ?? USUAL_EVENT_COLUMNS) : jsonText(columns);
  return {
    head: format === 'csv' ? csvHead(columns ?? USUAL_EVENT_COLUMNS) : '',
    followsRules: false,
    async page(place) {
      // the rule of the text is made once, and not for each page
      hunt ??= huntForText(work.table, question.content);
      const search = await openSearch(work, question, {
        cursor: place.cursor === undefined ? undefined : readCursor(place.cursor),
        hunt: await hunt,
      });
      const { all, next } = await readNewest(work, { ...search, limit: PAGE, seen: () => undefined });
      const events = all.slice(0, PAGE).map(({ id, line }) => ({ id, ...eventIn(line) }));
      const { shown = [] } = place;
      Object.assign(place, {
        entries: place.entries + events.length,
        shown: [...shown, ...events.slice(0, SHOWN - shown.length).map(shownOf)],
        ...(next && { cursor: writeCursor(next) }),
      });
      const { from } = search.cursor;
      const [reached] = next?.before ?? next?.after ?? [from];
      const total = eventsBefore(search, from);
      return {
        texts: events.map(textOf),
        done: next ? eventsBefore(search, reached) : total,
        total,
        isLast: next === undefined,
      };
    },
    foot: () => '',
    result: ({ records, reached, sizeBytes, place }) => ({
      events: records,
      looked: reached,
      newest: place.shown ?? [],
      sizeBytes,
      format,
    }),
  };
}

type Event = ReturnType<typeof eventIn> & { id: string };

const shownOf = ({ id, at, host, user, message, raw }: Event): EventsExported['newest'][number] => ({
  id,
  at,
  host,
  user,
  message: (message || raw).slice(0, MAX_SHOWN_TEXT),
});

const FIELD = 'fields.';

/** A part of an event, or the field behind `fields.`, whose name may have dots. */
const valueIn = (event: Event, column: string): unknown =>
  column.startsWith(FIELD)
    ? event.fields[column.slice(FIELD.length)]
    : Object.entries(event).find(([name]) => name === column)?.[1];

const csvText = (columns: readonly string[]) => (event: Event) =>
  csvRow(columns.map((column) => valueIn(event, column)));

const jsonText = (columns: readonly string[] | undefined) => (event: Event) => {
  const some = columns?.map((column) => [column, valueIn(event, column) ?? null]);
  return `${JSON.stringify(some ? Object.fromEntries(some) : event)}\n`;
};
