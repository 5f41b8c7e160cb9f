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
import { Views } from './views.tsx';

type Event = RecordOf<'EngagementCalendarEvent'>;

const DAYS_OF_WEEK = 7;
const MAX_SHOWN = 4;
const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' });
const dayName = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short' });

/** `2026-11-29`, in the zone of the person. */
const keyOf = (at: Date): string =>
  [at.getFullYear(), String(at.getMonth() + 1).padStart(2, '0'), String(at.getDate()).padStart(2, '0')].join('-');

/** The days of the weeks of a month, from a Monday to a Sunday. */
function daysOf(month: Date): Date[] {
  const before = (month.getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;
  const last = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  const amount = Math.ceil((before + last) / DAYS_OF_WEEK) * DAYS_OF_WEEK;
  return Array.from({ length: amount }, (_, n) => new Date(month.getFullYear(), month.getMonth(), 1 - before + n));
}

const useEvents = question(async (about: string) => {
  const [from = '', to = ''] = about.split(' ');
  return answerOf(
    client.GET('/api/v1/validation-operations/engagements/calendar', { params: { query: { from, to } } }),
  );
});

const monthOf = (key: string | null): Date => {
  const [year, month] = (key ?? '').split('-').map(Number);
  const now = new Date();
  return year && month ? new Date(year, month - 1) : new Date(now.getFullYear(), now.getMonth());
};

/** The planned events of a month, by its days. */
function Calendar() {
  const [params, setParams] = useSearchParams();
  const month = monthOf(params.get('month'));
  const days = daysOf(month);
  const [first = month] = days;
  const end = new Date(first.getFullYear(), first.getMonth(), first.getDate() + days.length);
  const { data, error, ask } = useEvents(`${first.toISOString()} ${end.toISOString()}`);
  const byDay = Object.groupBy(data?.events ?? [], ({ startsAt }) => keyOf(new Date(startsAt)));
  const go = (change: number) =>
    setParams({ month: keyOf(new Date(month.getFullYear(), month.getMonth() + change)).slice(0, 7) });
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
      {data && data.events.length === 0 && <Empty icon="calendar" title={words.none} hint={words.noneHint} />}
      {data && data.events.length > 0 && (
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
                isOutside={day.getMonth() !== month.getMonth()}
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
    <li class={classes.filter(Boolean).join(' ')} aria-current={key === keyOf(new Date()) ? 'date' : undefined}>
      <time dateTime={key}>
        <span class="calendar-number">{day.getDate()}</span>
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
