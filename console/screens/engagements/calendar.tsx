import { Link, useSearchParams } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { timeOf } from '../../parts/format.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import '../../style/calendar.css';
import { calendar as words } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';
import { localDayOf } from '../../zone.ts';
import { Views } from './views.tsx';

type Event = RecordOf<'EngagementCalendarEvent'>;

const DAYS_OF_WEEK = 7;
const MAX_SHOWN = 4;
const DAY_MS = 86_400_000;
const timeZone = 'UTC';
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone });
const dayName = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone });

/** A day of the calendar is its midnight in UTC, so that each has 24 hours; its key is `2026-11-29`. */
const keyOf = (day: Date): string => day.toISOString().slice(0, 10);
const dayAt = (year: number, month: number, day = 1): Date => new Date(Date.UTC(year, month, day));
const daysAfter = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);
const today = (): string => localDayOf(new Date().toISOString());

/** The interface counts due days in UTC; everything else is in the zone of the person. */
const keyOfEvent = ({ kind, startsAt }: Event): string =>
  kind === 'due' ? startsAt.slice(0, 10) : localDayOf(startsAt);

/** The days of the weeks of a month, from a Monday to a Sunday. */
function daysOf(month: Date): Date[] {
  const before = (month.getUTCDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const last = dayAt(month.getUTCFullYear(), month.getUTCMonth() + 1, 0).getUTCDate();
  const amount = Math.ceil((before + last) / DAYS_OF_WEEK) * DAYS_OF_WEEK;
  return Array.from({ length: amount }, (_, n) => daysAfter(month, n - before));
}

const useEvents = question(async (about: string) => {
  const [from = '', to = ''] = about.split(' ');
  return answerOf(
    client.GET('/api/v1/validation-operations/engagements/calendar', { params: { query: { from, to } } }),
  );
});

const monthOf = (key: string | null): Date => {
  const [year, month] = (key ?? '').split('-').map(Number);
  return year && month ? dayAt(year, month - 1) : monthOf(today());
};

/** The planned events of a month, by its days. */
function Calendar() {
  const [params, setParams] = useSearchParams();
  const month = monthOf(params.get('month'));
  const days = daysOf(month);
  const [first = month] = days;
  // a day more on both sides covers the days in each zone
  const [from, to] = [-1, days.length + 1].map((n) => daysAfter(first, n).toISOString());
  const { data, error, ask } = useEvents(`${from} ${to}`);
  const byDay = Object.groupBy(data?.events ?? [], keyOfEvent);
  const isEmpty = days.every((day) => byDay[keyOf(day)] === undefined);
  const go = (change: number) =>
    setParams({ month: keyOf(dayAt(month.getUTCFullYear(), month.getUTCMonth() + change)).slice(0, 7) });
  return (
    <div class="page">
      <h1>{texts.screens.calendar}</h1>
      <Views />
      <div class="calendar-head">
        <button type="button" class="button square calendar-back" aria-label={words.before} onClick={() => go(-1)}>
          <Icon name="arrow" />
        </button>
        <h2 aria-live="polite">{monthName.format(month)}</h2>
        <button type="button" class="button square" aria-label={words.after} onClick={() => go(1)}>
          <Icon name="arrow" />
        </button>
        <button type="button" class="button" onClick={() => setParams({})}>
          {words.today}
        </button>
        <FormDialog label={words.subscribe} look="plain" lead={words.subscribeLead} fields={[]} send={subscribe} />
      </div>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={9} />}
      {data?.truncated && <p class="note">{words.truncated}</p>}
      {data && isEmpty && <Empty icon="calendar" title={words.none} hint={words.noneHint} />}
      {data && !isEmpty && (
        <>
          <div class="calendar-week" aria-hidden="true">
            {words.weekdays.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          <ol class="calendar">
            {days.map((day) => (
              <Day
                key={keyOf(day)}
                day={day}
                isOutside={day.getUTCMonth() !== month.getUTCMonth()}
                events={byDay[keyOf(day)]}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

async function subscribe() {
  const { path } = await answerOf(client.POST('/api/v1/validation-operations/engagements/calendar/feed'));
  return { title: words.made, lines: [{ label: words.address, text: location.origin + path }] };
}

type DayProps = { day: Date; isOutside: boolean; events: Event[] | undefined };

const Day = ({ day, isOutside, events = [] }: DayProps) => {
  const key = keyOf(day);
  const classes = ['calendar-day', isOutside && 'calendar-outside', events.length === 0 && 'calendar-free'];
  return (
    <li class={classes.filter(Boolean).join(' ')} aria-current={key === today() ? 'date' : undefined}>
      <time dateTime={key}>
        <span class="calendar-number">{day.getUTCDate()}</span>
        <span class="calendar-name">{dayName.format(day)}</span>
      </time>
      {events.slice(0, MAX_SHOWN).map((event) => (
        <Link
          key={event.id}
          href={event.campaignId ? `/campaigns/${event.campaignId}` : `/engagements/${event.engagementId}`}
          class={`calendar-event calendar-${event.kind}`}
          title={timeOf(event.startsAt)}
        >
          <span class="small">{words.kinds[event.kind]}</span> {event.title}
        </Link>
      ))}
      {events.length > MAX_SHOWN && <span class="soft small">{words.more(events.length - MAX_SHOWN)}</span>}
    </li>
  );
};

export const parts = { List: Calendar };
