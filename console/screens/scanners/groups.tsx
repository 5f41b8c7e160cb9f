import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Scanner, ScannerGroup } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts, Tags } from '../../parts/facts.tsx';
import { StatusMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { scannerGroup } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

const { columns, ...words } = scannerGroup;
const base = '/api/v1/validation-operations/scanner-groups';

/** The scanners of a group, by their ids. */
const useScanners = question(async (ids: string): Promise<{ data: Scanner[]; totalCount: number }> => {
  if (ids === '') return { data: [], totalCount: 0 };
  const query = { ids: ids.split(',') };
  return answerOf(client.GET('/api/v1/validation-operations/scanners', { params: { query } }));
});

const nextOf = ({ scanners }: ScannerGroup): string => {
  if (!scanners || scanners.total === 0) return words.next.empty;
  return scanners.online === 0 ? words.next.offline : words.next.well;
};

const fieldsOf = (known?: ScannerGroup): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'description', label: words.description, kind: 'text', initial: known?.description ?? '' },
  { name: 'zone', label: columns.zone, kind: 'text', initial: known?.zone ?? '' },
];

const bodyOf = ({ text, maybe }: Values) => ({
  name: text('name'),
  description: maybe('description') ?? null,
  zone: maybe('zone') ?? null,
});

function Acts({ record, put, changed }: PartProps<ScannerGroup>) {
  const at = { params: { path: { id: record.id } } };
  const headers = { 'if-match': `"${record.version}"` };
  return (
    <DetailActs
      of={{ record, put, changed }}
      words={words}
      fields={fieldsOf(record)}
      save={(values) => answerOf(client.PATCH(`${base}/{id}`, { ...at, headers, body: bodyOf(values) }))}
      remove={() => answerOf(client.DELETE(`${base}/{id}`, at))}
    />
  );
}

const detail: Detail<ScannerGroup> = {
  title: texts.screens.scannerGroups,
  path: '/scanner-groups',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { zone } }) => (zone ? <span class="tag">{zone}</span> : null),
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={texts.finding.next}>
        <p>{nextOf(record)}</p>
        {record.description && <p class="soft">{record.description}</p>}
        <Acts record={record} put={put} changed={changed} />
      </Section>
      <Related title={words.scanners} asked={useScanners(record.scannerIds.join(','))} none={words.noScanners}>
        {({ id, name, status }) => (
          <>
            <Link href={`/scanners/${id}`}>{name}</Link>
            <StatusMark status={status} />
          </>
        )}
      </Related>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.waiting, record.tasks && count(record.tasks.pending)],
            [columns.running, record.tasks && count(record.tasks.running)],
            [words.dispatch, words.dispatches[record.dispatch]],
            [words.does, record.taskTypes.map((type) => texts.scanner.types[type]).join(', ')],
            [words.most, record.maxConcurrentTasks !== null && count(record.maxConcurrentTasks)],
          ]}
        />
        {record.tags.length > 0 && <Tags tags={record.tags} />}
      </Section>
    </>
  ),
};

const Lead = () => (
  <>
    <Views />
    <p>
      <FormDialog
        label={words.add}
        fields={fieldsOf()}
        send={async (values): Promise<undefined> => {
          await answerOf(client.POST(base, { body: bodyOf(values) }));
        }}
      />
    </p>
  </>
);

const kind: RecordKind<ScannerGroup> = {
  name: 'scanner-group',
  feed: 'scanner-group',
  path: base,
  icon: 'scanner',
  title: texts.screens.scannerGroups,
  words,
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    { name: 'zone', label: columns.zone, width: '140px', cell: ({ zone }) => <span class="cut">{zone ?? '–'}</span> },
    {
      name: 'online',
      label: columns.online,
      width: '104px',
      shown: 'named',
      cell: ({ scanners }) => scanners && words.onlineOf(scanners.online, scanners.total),
    },
    { name: 'waiting', label: columns.waiting, width: '84px', cell: ({ tasks }) => count(tasks?.pending ?? 0) },
    { name: 'running', label: columns.running, width: '84px', cell: ({ tasks }) => count(tasks?.running ?? 0) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
