import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question, refusedBy } from '../../api/question.ts';
import { choicesOf, type Values } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { notify } from '../../parts/toasts.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { reports } from '../../texts/reports.ts';
import { texts } from '../../texts.ts';
import { settingsOf, useSettingFields } from './report-form.ts';

type Report = RecordOf<'Report'>;
type Format = 'pdf' | 'html' | 'xlsx' | 'csv' | 'json' | 'sbom' | 'vex';

const { columns, ...words } = reports;
const base = '/api/v1/reports';
const FORMATS = ['pdf', 'html', 'xlsx', 'json'] as const;
const PACKAGE_FORMATS = [...FORMATS, 'sbom', 'vex'] as const;

const titleOf = ({ title, kind }: Report): string => title ?? words.kinds[kind];

async function download(id: string, format: Format, table?: string): Promise<void> {
  const params = { path: { id }, query: { format, table } };
  const { url } = await answerOf(client.GET(`${base}/{id}/file`, { params }));
  location.assign(url);
}

/** Shows the PDF in a tab of its own, which is of the bucket's origin and not of the console's. */
async function show(id: string): Promise<void> {
  const params = { path: { id }, query: { format: 'pdf' as const, disposition: 'inline' as const } };
  const { url } = await answerOf(client.GET(`${base}/{id}/file`, { params }));
  open(url, '_blank', 'noopener,noreferrer');
}

const complain = (refused: unknown) => notify(refusedBy(refused).message, { isError: true });

type FileProps = { id: string; label: string; format: Format; table?: string };

const File = ({ id, label, format, table }: FileProps) => (
  <button
    type="button"
    class={table === undefined ? 'button' : 'link'}
    onClick={() => download(id, format, table).catch(complain)}
  >
    {label}
  </button>
);

const Files = ({ record: { id, kind: about, status, error, tables } }: { record: Report }) =>
  status === 'made' ? (
    <>
      <p class="acts">
        <button type="button" class="button main" onClick={() => show(id).catch(complain)}>
          {words.open}
        </button>
        {(about === 'sbom_vex' ? PACKAGE_FORMATS : FORMATS).map((format) => (
          <File key={format} id={id} format={format} label={format.toUpperCase()} />
        ))}
      </p>
      <h3>{words.tables}</h3>
      <ul class="plain">
        {tables.map((table) => (
          <li key={table.id}>
            <File id={id} format="csv" table={table.id} label={table.title} />{' '}
            <span class="soft small">{words.rows(table.rows)}</span>
          </li>
        ))}
      </ul>
    </>
  ) : (
    <p class={status === 'failed' ? 'overdue' : 'soft'}>
      {[words.notMade[status], error?.message].filter(Boolean).join(': ')}
    </p>
  );

const detail: Detail<Report> = {
  title: texts.screens.reports,
  path: '/reports',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf,
  Marks: ({ record: { kind, status } }) => (
    <>
      <span class="tag">{words.kinds[kind]}</span>
      <StatusMark status={status} />
    </>
  ),
  Sections: ({ record }) => (
    <>
      <Section title={words.files}>
        <Files record={record} />
      </Section>
      <Section title={texts.detection.facts}>
        <Facts
          rows={[
            [words.asOf, record.asOf && timeOf(record.asOf)],
            [words.by, record.createdBy.name],
            [words.hash, record.factsHash && <code>{record.factsHash}</code>],
            [words.letters, record.deliveries.map(({ user }) => user.name).join(', ')],
          ]}
        />
        <RecordActs
          name={titleOf(record)}
          words={words}
          remove={() => answerOf(client.DELETE(`${base}/{id}`, { params: { path: { id: record.id } } }))}
        />
      </Section>
    </>
  ),
};

async function make(values: Values): Promise<undefined> {
  await answerOf(client.POST(base, { body: settingsOf(values) }));
  notify(words.making);
}

const Lead = () => (
  <p class="acts">
    <FormDialog label={words.make} lead={words.lead} fields={useSettingFields()} send={make} />
    <Link href="/report-schedules">{words.schedules.title}</Link>
  </p>
);

const kind: RecordKind<Report> = {
  name: 'report',
  feed: 'report',
  path: base,
  icon: 'logs',
  title: texts.screens.reports,
  words,
  Lead,
  facets: [{ name: 'kind', label: columns.kind, values: choicesOf(words.kinds) }],
  titleOf,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  columns: [
    { name: 'title', label: columns.title, cell: (row) => <span class="cut strong">{titleOf(row)}</span> },
    { name: 'kind', label: columns.kind, width: '140px', cell: (row) => words.kinds[row.kind] },
    {
      name: 'status',
      label: columns.status,
      width: '104px',
      shown: 'phone',
      cell: ({ status }) => <StatusMark status={status} />,
    },
    {
      name: 'by',
      label: columns.by,
      width: '140px',
      cell: ({ createdBy }) => <span class="cut">{createdBy.name}</span>,
    },
    { name: 'asOf', label: columns.asOf, width: '170px', cell: ({ asOf }) => (asOf ? timeOf(asOf) : '–') },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
