import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { act } from '../../parts/act.ts';
import { Facts, Tags } from '../../parts/facts.tsx';
import { agoOf, percentOf, timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { machineFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { FROM_MACHINES } from '../../records/starts.ts';
import { Turn } from '../../records/turn.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { agent } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Agent = RecordOf<'LinkedAgent'>;
const { columns, ...words } = agent;
const base = '/api/v1/security-operations/telemetry/agents';
const FIRST = 12;

const useSoftware = question(async (id) => {
  const params = { path: { id }, query: { paginateSize: FIRST } };
  const found = await answerOf(client.GET(`${base}/software/{id}`, { params }));
  return { ...found, data: found.data.map((one) => ({ id: `${one.name} ${one.version}`, ...one })) };
});
const useLoad = question((id) => answerOf(client.GET(`${base}/resources/{id}`, { params: { path: { id } } })));

const systemOf = ({ os }: Agent): string => [os?.name ?? os?.family, os?.version].filter(Boolean).join(' ');

const fieldsOf = ({ name, zone, tags, reportIntervalSeconds }: Agent): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: name },
  { name: 'zone', label: columns.zone, kind: 'text', initial: zone ?? '' },
  { name: 'tags', label: words.tags, hint: words.tagsHint, kind: 'text', initial: tags.join(', ') },
  {
    name: 'reportIntervalSeconds',
    label: words.interval,
    kind: 'number',
    required: true,
    initial: String(reportIntervalSeconds),
  },
];

const bodyOf = ({ text, maybe, number }: Values) => ({
  name: text('name'),
  zone: maybe('zone') ?? null,
  tags: wordsIn(text('tags')),
  reportIntervalSeconds: number('reportIntervalSeconds') ?? null,
});

function Sections({ record, put, changed }: PartProps<Agent>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  const { data: load } = useLoad(record.id);
  const now = load?.points.at(-1);
  const share = (percent: number | null | undefined) =>
    percent === null || percent === undefined ? undefined : percentOf(percent / 100);
  return (
    <>
      <Turn
        text={words.next[record.status]}
        isOn={record.enabled}
        words={words}
        turn={(enabled) =>
          void act(client.PATCH(`${base}/{id}`, { ...at, body: { enabled } }), { done: words.saved, put, changed })
        }
      />
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.seen, record.lastSeenAt ? timeOf(record.lastSeenAt) : words.never],
            [words.asset, record.assetId && <Link href={`/assets/${record.assetId}`}>{words.showAsset}</Link>],
            [columns.os, systemOf(record)],
            [columns.zone, record.zone],
            [words.addresses, record.addresses.join(', ')],
            [words.host, record.hostname],
            [words.version, record.softwareVersion],
          ]}
        />
        {record.tags.length > 0 && <Tags tags={record.tags} />}
        <DetailActs
          of={{ record, put, changed }}
          words={words}
          fields={fieldsOf(record)}
          save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, body: bodyOf(values) }))}
          remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: at.params }))}
        />
      </Section>
      {now && (
        <Section title={words.load}>
          <Facts
            rows={[
              [words.cpu, share(now.cpuPercent.avg)],
              [words.memory, share(now.memoryPercent)],
              [words.disk, share(now.diskPercent)],
            ]}
          />
        </Section>
      )}
      <Related title={words.software} asked={useSoftware(record.id)} none={words.noSoftware}>
        {({ name, version }) => (
          <>
            <span>{name}</span>
            <span class="soft">{version}</span>
          </>
        )}
      </Related>
    </>
  );
}

const detail: Detail<Agent> = {
  title: texts.screens.agents,
  path: '/agents',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <StatusMark status={status} />,
  Sections,
};

const kind: RecordKind<Agent> = {
  name: 'agent',
  feed: 'agent',
  path: base,
  icon: 'assets',
  title: texts.screens.agents,
  words,
  start: FROM_MACHINES,
  facets: [machineFacet],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    statusColumn(columns.status, '132px'),
    {
      name: 'os',
      label: columns.os,
      width: 'minmax(120px, 1fr)',
      cell: (row) => <span class="cut">{systemOf(row) || '–'}</span>,
    },
    { name: 'zone', label: columns.zone, width: '124px', cell: ({ zone }) => <span class="cut">{zone ?? '–'}</span> },
    {
      name: 'seen',
      label: columns.seen,
      width: '124px',
      shown: 'named',
      cell: ({ lastSeenAt }) => (lastSeenAt ? agoOf(lastSeenAt) : words.never),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
