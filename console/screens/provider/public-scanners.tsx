import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { wordsIn } from '../../filter/filter-text.ts';
import type { Field, Values } from '../../forms/field.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { Turn } from '../../records/turn.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { publicScanner as words } from '../../texts/scan-set-up.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

type Scanner = RecordOf<'PublicScanner'>;
const base = '/api/v1/validation-operations/public-scanners';
const { columns, ...scannerWords } = texts.scanner;

const fieldsOf = ({ name, capacity, sourceIps, notes }: Scanner): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: name },
  { name: 'capacity', label: words.capacity, kind: 'number', initial: capacity === null ? '' : String(capacity) },
  {
    name: 'sourceIps',
    label: words.addresses,
    hint: words.addressesHint,
    kind: 'text',
    initial: sourceIps.join(', '),
  },
  { name: 'notes', label: words.notes, kind: 'long', initial: notes ?? '' },
];

const bodyOf = ({ text, maybe, number }: Values) => ({
  name: text('name'),
  capacity: number('capacity') ?? null,
  sourceIps: wordsIn(text('sourceIps')),
  notes: maybe('notes') ?? null,
});

function Sections({ record, put, changed }: PartProps<Scanner>) {
  const at = { params: { path: { id: record.id } }, headers: { 'if-match': `"${record.version}"` } };
  return (
    <>
      <Turn
        text={scannerWords.next[record.status]}
        isOn={record.enabled}
        words={scannerWords}
        turn={(enabled) =>
          void act(client.PATCH(`${base}/{id}`, { ...at, body: { enabled } }), { done: words.saved, put, changed })
        }
      />
      <Section title={texts.finding.page.facts}>
        {record.lastError && (
          <p class="overdue">
            {scannerWords.error}: {record.lastError}
          </p>
        )}
        <Facts
          rows={[
            [columns.running, count(record.runningTasks)],
            [words.capacity, record.capacity !== null && count(record.capacity)],
            [scannerWords.does, record.supportedTaskTypes.map((type) => scannerWords.types[type]).join(', ')],
            [words.addresses, record.sourceIps.join(', ') || record.remoteAddress],
            [columns.zone, record.zone],
            [columns.version, record.softwareVersion],
            [words.notes, record.notes],
          ]}
        />
        <DetailActs
          of={{ record, put, changed }}
          words={words}
          fields={fieldsOf(record)}
          save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, body: bodyOf(values) }))}
          remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: at.params }))}
        />
      </Section>
    </>
  );
}

const detail: Detail<Scanner> = {
  title: texts.screens.publicScanners,
  path: '/public-scanners',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <StatusMark status={status} />,
  Sections,
};

const kind: RecordKind<Scanner> = {
  name: 'public-scanner',
  path: base,
  icon: 'scanner',
  title: texts.screens.publicScanners,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    statusColumn(columns.status, '132px'),
    {
      name: 'seen',
      label: columns.seen,
      width: '124px',
      shown: 'named',
      cell: ({ lastSeenAt }) => (lastSeenAt ? agoOf(lastSeenAt) : scannerWords.never),
    },
    { name: 'pools', label: words.pools, width: '84px', cell: ({ publicGroupIds }) => count(publicGroupIds.length) },
    { name: 'running', label: columns.running, width: '84px', cell: ({ runningTasks }) => count(runningTasks) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
