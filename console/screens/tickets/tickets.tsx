import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Ticket } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { FROM_INTEGRATIONS } from '../../records/starts.ts';
import { severityColumn } from '../../records/usual-columns.tsx';
import { isOfWeb } from '../../shell/links.ts';
import { ticket } from '../../texts/ticket.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

const { columns, ...words } = ticket;
const STATUSES = ['pending', 'open', 'in_progress', 'done', 'missing'] as const;
const FIRST = 20;

const useComments = question((id) =>
  answerOf(
    client.GET('/api/v1/ticketing/tickets/{id}/comments', {
      params: { path: { id }, query: { paginateSize: FIRST } },
    }),
  ),
);

const State = ({ ticket: { status, error } }: { ticket: Ticket }) => (
  <span class={`status ${error ? 'status-failed' : ''}`}>{words.statuses[status]}</span>
);

const subjectOf = ({ type, id }: Ticket['subject']): string =>
  ({ finding: `/findings/${id}`, vulnerability: `/vulnerabilities/${id}`, fix: '/fixes' })[type];

/** The issue in Jira. */
const Issue = ({ url, issueKey }: Pick<Ticket, 'url' | 'issueKey'>) =>
  url && issueKey && isOfWeb(url) ? (
    <a class="button main" href={url} target="_blank" rel="noreferrer">
      {words.open(issueKey)}
    </a>
  ) : null;

const detail: Detail<Ticket> = {
  title: texts.screens.tickets,
  path: '/tickets',
  useRecord: question((id) => answerOf(client.GET('/api/v1/ticketing/tickets/{id}', { params: { path: { id } } }))),
  titleOf: ({ title, issueKey }) => [issueKey, title].filter(Boolean).join(' '),
  Marks: ({ record }) => (
    <>
      <SeverityMark severity={record.severity} />
      <State ticket={record} />
    </>
  ),
  Sections: ({ record, changed }) => (
    <>
      <Section title={texts.finding.next}>
        <p>{record.awaitsProof ? words.proof : words.next[record.status]}</p>
        {record.error && (
          <p class="overdue">
            {words.error}: {record.error.message} ({agoOf(record.error.at)})
          </p>
        )}
        <div class="actions">
          <Issue {...record} />
          <button
            type="button"
            class="button"
            onClick={() =>
              void act(client.POST('/api/v1/ticketing/tickets/{id}/sync', { params: { path: { id: record.id } } }), {
                done: words.synced,
                changed,
              })
            }
          >
            {words.sync}
          </button>
        </div>
      </Section>
      <Section title={words.subject}>
        <Link href={subjectOf(record.subject)}>{words.subjects[record.subject.type]}</Link>
      </Section>
      <Section title={texts.finding.who}>
        <Facts
          rows={[
            [columns.assignee, record.assignee ?? texts.nobody],
            [words.jira, record.issueStatus],
            [words.project, record.project],
            [words.type, record.issueType],
            [columns.synced, record.syncedAt ? timeOf(record.syncedAt) : words.never],
            [words.resolved, record.resolvedAt && timeOf(record.resolvedAt)],
          ]}
        />
      </Section>
      <Related title={words.comments} asked={useComments(record.id)} none={words.noComments}>
        {({ author, createdAt, text }) => (
          <div class="comment">
            <span class="soft small">{texts.finding.by(author, agoOf(createdAt))}</span>
            <Prose text={text} />
          </div>
        )}
      </Related>
    </>
  ),
};

const kind: RecordKind<Ticket> = {
  name: 'ticket',
  feed: 'ticket',
  entity: 'ticket',
  path: '/api/v1/ticketing/tickets',
  icon: 'ticket',
  title: texts.screens.tickets,
  words,
  start: FROM_INTEGRATIONS,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
    { name: 'failing', label: words.failing, values: [{ value: 'true', label: words.isFailing }] },
  ],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/ticketing/tickets', asTyped(search))),
  Lead: Views,
  Drawer: drawerOf(detail),
  columns: [
    severityColumn(columns.severity),
    { name: 'title', label: columns.title, cell: ({ title }) => <span class="cut strong">{title}</span> },
    {
      name: 'status',
      label: columns.status,
      width: '140px',
      shown: 'phone',
      cell: (row) => <State ticket={row} />,
    },
    { name: 'key', label: columns.key, width: '104px', shown: 'phone', cell: ({ issueKey }) => issueKey ?? '–' },
    {
      name: 'assignee',
      label: columns.assignee,
      width: '124px',
      cell: ({ assignee }) => <span class="cut">{assignee ?? '–'}</span>,
    },
    {
      name: 'synced',
      label: columns.synced,
      width: '148px',
      shown: 'wide',
      cell: ({ syncedAt }) => (syncedAt ? agoOf(syncedAt) : words.never),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
