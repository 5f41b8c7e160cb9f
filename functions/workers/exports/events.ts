import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import type { Work } from '#shared/platform/jobs/worker.ts';
import { EventExportInput, type EventsExported, USUAL_EVENT_COLUMNS } from '#shared/soc/hunting/export.ts';
import { huntForText } from '#shared/soc/hunting/text-test.ts';
import { type FoundEvent, nextEvents } from './event-pages.ts';
import type { Source } from './file.ts';
import { rulesSource } from './rules.ts';

/** Events that the result of the task shows, and of each so much of its text. */
const SHOWN = 50;
const MAX_SHOWN_TEXT = 300;

/** The events of a search, newest first. They have no ordinals: the place is the cursor of the search. */
export function eventsSource(work: Work): Source {
  const { format, columns, ...question } = EventExportInput.parse(work.task.input);
  if (question.rules) return rulesSource(work, { ...question, rules: question.rules, format });
  let hunt: ReturnType<typeof huntForText> | undefined;
  const textOf = format === 'csv' ? csvText(columns ?? USUAL_EVENT_COLUMNS) : jsonText(columns);
  return {
    head: format === 'csv' ? csvHead(columns ?? USUAL_EVENT_COLUMNS) : '',
    followsRules: false,
    async page(place) {
      // the rule of the text is made once, and not for each page
      hunt ??= huntForText(work.table, question.content);
      const { events, ...page } = await nextEvents(work, { question, place, hunt: await hunt });
      const { shown = [] } = place;
      Object.assign(place, {
        entries: place.entries + events.length,
        shown: [...shown, ...events.slice(0, SHOWN - shown.length).map(shownOf)],
      });
      return { ...page, texts: events.map(textOf) };
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

const shownOf = ({ id, at, host, user, message, raw }: FoundEvent): EventsExported['newest'][number] => ({
  id,
  at,
  host,
  user,
  message: (message || raw).slice(0, MAX_SHOWN_TEXT),
});

const FIELD = 'fields.';

/** A part of an event, or the field behind `fields.`, whose name may have dots. */
const valueIn = (event: FoundEvent, column: string): unknown =>
  column.startsWith(FIELD)
    ? event.fields[column.slice(FIELD.length)]
    : Object.entries(event).find(([name]) => name === column)?.[1];

const csvText = (columns: readonly string[]) => (event: FoundEvent) =>
  csvRow(columns.map((column) => valueIn(event, column)));

const jsonText = (columns: readonly string[] | undefined) => (event: FoundEvent) => {
  const some = columns?.map((column) => [column, valueIn(event, column) ?? null]);
  return `${JSON.stringify(some ? Object.fromEntries(some) : event)}\n`;
};
