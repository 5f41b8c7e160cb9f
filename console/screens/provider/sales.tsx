import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, dayOf, timeOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { sales } from '../../texts/sales.ts';
import { texts } from '../../texts.ts';

type SalesRequest = RecordOf<'SalesRequest'>;
const { columns, ...words } = sales;
const base = '/api/v1/sales-requests';
const STATUSES = ['new', 'contacted', 'closed'] as const;

function Sections({ record, put, changed }: PartProps<SalesRequest>) {
  const { id, version, status, name } = record;
  const params = { path: { id } };
  const move = (next: SalesRequest['status']) => {
    const headers = { 'if-match': `"${version}"` };
    const request = client.PATCH(`${base}/{id}`, { params, headers, body: { status: next } });
    void act(request, { done: words.saved, put, changed });
  };
  return (
    <>
      <Section title={texts.finding.next}>
        <div class="actions">
          {STATUSES.filter((one) => one !== status).map((one) => (
            <button key={one} type="button" class="button" onClick={() => move(one)}>
              {words.moves[one]}
            </button>
          ))}
        </div>
        <RecordActs
          name={name}
          words={words}
          remove={async () => {
            await answerOf(client.DELETE(`${base}/{id}`, { params }));
            changed();
          }}
        />
      </Section>
      <Section title={words.message}>
        <p class="prose">{record.message}</p>
      </Section>
      <Section title={texts.finding.who}>
        <Facts
          rows={[
            [words.email, record.email],
            [columns.company, record.company],
            [columns.came, timeOf(record.createdAt)],
            [columns.handled, record.handledBy?.name],
            [words.consent, record.consentVersion],
            [words.deletion, dayOf(record.deletionAt)],
          ]}
        />
      </Section>
    </>
  );
}

const detail: Detail<SalesRequest> = {
  title: texts.screens.sales,
  path: '/sales-requests',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <span class="tag">{words.statuses[status]}</span>,
  Sections,
};

const kind: RecordKind<SalesRequest> = {
  name: 'sales-request',
  path: base,
  icon: 'people',
  title: texts.screens.sales,
  words,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
  ],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: ({ name, email }) => (
        <>
          <span class="cut strong">{name}</span>
          <span class="cut soft small">{email}</span>
        </>
      ),
    },
    {
      name: 'status',
      label: columns.status,
      shown: 'phone',
      cell: ({ status }) => <span class="tag">{words.statuses[status]}</span>,
    },
    { name: 'company', label: columns.company, width: '180px', cell: ({ company }) => company ?? '–' },
    { name: 'came', label: columns.came, width: '124px', shown: 'named', cell: ({ createdAt }) => agoOf(createdAt) },
    { name: 'handled', label: columns.handled, width: '148px', cell: ({ handledBy }) => handledBy?.name ?? '–' },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
