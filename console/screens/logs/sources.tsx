import { Link } from 'wouter-preact';
import '../../style/administration.css';
import '../../style/logs.css';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { LogSource } from '../../api/types.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, bytesOf, timeOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { logs, source } from '../../texts/logs.ts';
import { texts } from '../../texts.ts';
import { lastDayOf } from './asked.ts';
import { VIEWS } from './views.ts';

const { columns, ...words } = source;
const STATUSES = ['silent', 'waiting', 'active'] as const;

const CLASSES = { active: 'status-online', silent: 'status-failed', waiting: '' };

const State = ({ status }: Pick<LogSource, 'status'>) => (
  <span class={`status ${CLASSES[status]}`}>{words.statuses[status]}</span>
);

const READ_AS = ['product', 'category', 'service', 'timeZone', 'parser'] as const;

type Changes = Partial<Pick<LogSource, 'alertWhenSilent' | 'expectedEverySeconds' | ReadAs>>;
type ReadAs = (typeof READ_AS)[number];

const change = ({ id, version }: LogSource, body: Changes) =>
  client.PATCH('/api/v1/siem/sources/{id}', {
    params: { path: { id } },
    headers: { 'if-match': `"${version}"` },
    body,
  });

const ReadAsForm = ({ record, put, changed }: PartProps<LogSource>) => (
  <FormDialog
    label={words.readAs}
    look="plain"
    fields={READ_AS.map((name) => ({
      name,
      label: words.reading[name],
      hint: words.readingHints[name],
      kind: 'text',
      initial: record[name] ?? '',
    }))}
    send={async ({ maybe }): Promise<undefined> => {
      const typed = Object.fromEntries(READ_AS.map((name) => [name, maybe(name) ?? null]));
      put(await answerOf(change(record, typed)));
      changed();
    }}
  />
);

/** A source, in the order of a person who asks why nothing comes. */
const detail: Detail<LogSource> = {
  title: texts.screens.logSources,
  path: '/log-sources',
  useRecord: question((id) => answerOf(client.GET('/api/v1/siem/sources/{id}', { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status, kind } }) => (
    <>
      <State status={status} />
      {kind && <span class="tag">{kind}</span>}
    </>
  ),
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={texts.finding.next}>
        <p>{words.next[record.status]}</p>
        {record.failure && (
          <>
            <p class="overdue">
              {words.failure}: {record.failure.message} ({agoOf(record.failure.at)})
            </p>
            <p>{words.failureNext}</p>
          </>
        )}
        <div class="actions">
          <Link class="button main" href={lastDayOf(record.id)}>
            {words.show}
          </Link>
          <FormDialog
            label={words.change}
            look="plain"
            fields={[
              {
                name: 'expectedEverySeconds',
                label: words.minutes,
                kind: 'number',
                required: true,
                initial: String(Math.ceil(record.expectedEverySeconds / 60)),
              },
            ]}
            send={async ({ number }): Promise<undefined> => {
              const expectedEverySeconds = (number('expectedEverySeconds') ?? 0) * 60;
              put(await answerOf(change(record, { expectedEverySeconds })));
              changed();
            }}
          />
          <ReadAsForm record={record} put={put} changed={changed} />
          <button
            type="button"
            class="button"
            onClick={() =>
              void act(change(record, { alertWhenSilent: !record.alertWhenSilent }), {
                done: words.changed,
                put,
                changed,
              })
            }
          >
            {record.alertWhenSilent ? words.alertOff : words.alertOn}
          </button>
        </div>
      </Section>
      <Section title={words.facts}>
        <Facts
          rows={[
            [columns.collector, record.collectorName],
            [words.expected, words.every(record.expectedEverySeconds)],
            [words.alerts, record.alertWhenSilent ? words.yes : words.no],
            [columns.last, record.lastEventAt ? timeOf(record.lastEventAt) : words.never],
            [words.received, record.lastReceivedAt && timeOf(record.lastReceivedAt)],
            [
              columns.events,
              <Link key="events" href={lastDayOf(record.id)}>
                {count(record.events24h)}
              </Link>,
            ],
            [columns.volume, bytesOf(record.bytes24h)],
            [words.replaced, record.timesReplaced > 0 && count(record.timesReplaced)],
            [logs.event.format, record.format],
            ...READ_AS.map((name): [string, string | null] => [words.reading[name], record[name] ?? null]),
          ]}
        />
      </Section>
    </>
  ),
};

const kind: RecordKind<LogSource> = {
  name: 'log-source',
  feed: 'siem-source',
  path: '/api/v1/siem/sources',
  icon: 'logs',
  title: texts.screens.logSources,
  words,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
    {
      name: 'quiet',
      label: words.quiet,
      values: [
        { value: 'true', label: words.isQuiet },
        { value: 'false', label: words.isLoud },
      ],
    },
  ],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/siem/sources', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: () => <Tabs label={logs.views} tabs={VIEWS} />,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    {
      name: 'status',
      label: columns.status,
      width: '172px',
      shown: 'phone',
      cell: ({ status }) => <State status={status} />,
    },
    {
      name: 'collector',
      label: columns.collector,
      width: '128px',
      shown: 'phone',
      cell: ({ collectorName }) => <span class="cut">{collectorName ?? '–'}</span>,
    },
    { name: 'kind', label: columns.kind, width: '88px', shown: 'wide', cell: ({ kind: name }) => name ?? '–' },
    {
      name: 'last',
      label: columns.last,
      width: '132px',
      shown: 'named',
      cell: ({ lastEventAt }) => (lastEventAt ? agoOf(lastEventAt) : words.never),
    },
    { name: 'events', label: columns.events, width: '116px', cell: ({ events24h }) => count(events24h) },
    { name: 'volume', label: columns.volume, width: '120px', cell: ({ bytes24h }) => bytesOf(bytes24h) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
