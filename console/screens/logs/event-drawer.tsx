import { Link } from 'wouter-preact';
import type { LogEvent } from '../../api/types.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { exactOf, timeOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { logs } from '../../texts/logs.ts';
import { type Asked, around, comparisonOf } from './asked.ts';
import { useSources } from './filters.tsx';

const words = logs.event;
const AROUND_MINUTES = 5;

type DrawerProps = { event: LogEvent; asked: Asked; close: () => void };

/** An event with all of its fields. Each value starts a search for it. */
export function EventDrawer({ event, asked, close }: DrawerProps) {
  const { data: sources } = useSources('');
  const source = sources?.data.find(({ id }) => id === event.sourceId);
  const { at, receivedAt, severity, host, user, action, category, product, service, message, format, fields, raw } =
    event;
  const only = (name: 'host' | 'user', value: string | null) =>
    value && (
      <button type="button" class="link" onClick={() => asked.change({ [name]: value, open: undefined })}>
        {words.only(value)}
      </button>
    );
  return (
    <Dialog kind="drawer" title={words.title} close={close}>
      <div key={event.id} class="drawer-content">
        <div class="drawer-marks">
          <SeverityMark severity={severity} />
          <span class="soft">{timeOf(at)}</span>
        </div>
        <Section title={words.what}>
          <p class="event-message">{message}</p>
          <Facts
            rows={[
              [words.action, action],
              [words.kind, [product, service, category].filter(Boolean).join(' ')],
            ]}
          />
        </Section>
        {host && (
          <Section title={words.next}>
            <Link href={around(at, AROUND_MINUTES, { host })}>{words.around}</Link>
          </Section>
        )}
        <Section title={words.where}>
          <Facts
            rows={[
              [logs.host, only('host', host)],
              [logs.user, only('user', user)],
              [logs.source, source && <Link href={`/log-sources?open=${source.id}`}>{source.name}</Link>],
            ]}
          />
        </Section>
        <Section title={words.when}>
          <Facts
            rows={[
              [
                words.at,
                <time key="at" dateTime={at} title={at}>
                  {exactOf(at)}
                </time>,
              ],
              [
                words.received,
                <time key="received" dateTime={receivedAt} title={receivedAt}>
                  {exactOf(receivedAt)}
                </time>,
              ],
              [words.format, format],
            ]}
          />
        </Section>
        <Section title={words.fields}>
          <Fields fields={fields} asked={asked} />
        </Section>
        <Section title={words.raw}>
          <pre class="whole">{raw}</pre>
          <p>
            <button
              type="button"
              class="button"
              onClick={() => void navigator.clipboard.writeText(JSON.stringify([event], null, 2))}
            >
              {words.copy}
            </button>
          </p>
        </Section>
      </div>
    </Dialog>
  );
}

type FieldsProps = Pick<LogEvent, 'fields'> & { asked: Asked };

function Fields({ fields, asked }: FieldsProps) {
  const rows = Object.entries(fields);
  if (rows.length === 0) return <p class="soft">{words.noFields}</p>;
  return (
    <Facts
      rows={rows.map(([name, value]) => {
        const text = String(value);
        const find = () =>
          asked.change({ search: `${asked.valueOf('search')} ${comparisonOf(name, text)}`.trim(), open: undefined });
        return [
          name,
          <button key={name} type="button" class="value" title={words.find(text)} onClick={find}>
            {text}
          </button>,
        ];
      })}
    />
  );
}
