import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { exactOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const MAX_SHOWN = 5;
const words = texts.alert;

const useEvents = question((alertId) =>
  answerOf(client.GET('/api/v1/siem/events', { params: { query: { alertId, limit: MAX_SHOWN } } })),
);

const AROUND = 8;
const MINUTES = 5;

const useAround = question((search) => answerOf(client.GET('/api/v1/siem/events', asTyped(search))));

type AroundProps = { of: 'host' | 'user'; value: string; firstEventAt: string };

/** Other events of the same host or person, from shortly before the first event of the alert until shortly after it. */
export function AroundAlert({ of, value, firstEventAt }: AroundProps) {
  const [from = '', to = ''] = [-MINUTES, MINUTES].map((minutes) =>
    new Date(Date.parse(firstEventAt) + minutes * 60_000).toISOString(),
  );
  const range = { from, to, [of]: value };
  const { data, error, ask } = useAround(new URLSearchParams({ ...range, limit: String(AROUND) }).toString());
  return (
    <Section title={words.around(value)}>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={2} />}
      {data && data.data.length === 0 && <p class="soft">{words.nothingAround}</p>}
      <ul class="related">
        {data?.data.toReversed().map(({ id, at, message, raw }) => (
          <li key={id}>
            <Link href={`/logs?${new URLSearchParams({ ...range, open: id })}`}>{message || raw}</Link>
            <span class="soft small">{exactOf(at)}</span>
          </li>
        ))}
      </ul>
      <Link href={`/logs?${new URLSearchParams(range)}`}>{words.allAround}</Link>
    </Section>
  );
}

/** The newest events of an alert, with the way to all of them. */
export function EventsOfAlert({ id }: { id: string }) {
  const { data, error, ask } = useEvents(id);
  return (
    <Section title={words.newest}>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={2} />}
      {data && data.data.length === 0 && <p class="soft">{words.noEvents}</p>}
      <ul class="related">
        {data?.data.map(({ id: event, at, host, message, raw }) => (
          <li key={event}>
            <Link href={`/logs?alertId=${id}&open=${event}`}>{message || raw}</Link>
            <span class="soft small">{[host, exactOf(at)].filter(Boolean).join(', ')}</span>
          </li>
        ))}
      </ul>
      {data && data.data.length > 0 && <Link href={`/logs?alertId=${id}`}>{words.allEvents}</Link>}
    </Section>
  );
}
