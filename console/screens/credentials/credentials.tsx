import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ExposedCredential } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Moves } from '../../parts/moves.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import type { BulkKind } from '../../records/bulk.ts';
import { bulkOf } from '../../records/bulk-bar.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';

const { columns, ...words } = texts.credential;
const STATUSES = ['active', 'rotated', 'revoked', 'false_positive'] as const;
const MAX_SHOWN = 50;

const titleOf = ({ kind, account, masked }: ExposedCredential): string =>
  [words.kinds[kind], account ?? masked].filter(Boolean).join(' ');

const verifiedOf = ({ verified }: ExposedCredential): string =>
  verified === null ? words.verified.unknown : verified ? words.verified.true : words.verified.false;

const usePlaces = question((id) =>
  answerOf(
    client.GET('/api/v1/exposed-credentials/{id}/places', {
      params: { path: { id }, query: { paginateSize: MAX_SHOWN } },
    }),
  ),
);

/** Where the credential lies open. */
const Places = ({ id }: { id: string }) => (
  <Related title={words.placesTitle} asked={usePlaces(id)} none={words.noPlaces}>
    {({ location, asset, tool }) => (
      <>
        <span>
          <code>{location}</code>
        </span>
        {asset && <Link href={`/assets/${asset.id}`}>{asset.name}</Link>}
        <span class="soft">{tool}</span>
      </>
    )}
  </Related>
);

const detail: Detail<ExposedCredential> = {
  title: texts.screens.credentials,
  path: '/exposed-credentials',
  useRecord: question((id) => answerOf(client.GET('/api/v1/exposed-credentials/{id}', { params: { path: { id } } }))),
  titleOf,
  Marks: ({ record: { status } }) => <StatusMark status={status} />,
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={texts.finding.next}>
        <p>{words.next}</p>
        <Moves
          statuses={STATUSES}
          current={record.status}
          move={(status) =>
            void act(
              client.PATCH('/api/v1/exposed-credentials/{id}', {
                params: { path: { id: record.id } },
                headers: { 'if-match': `"${record.version}"` },
                body: { status },
              }),
              { done: words.changed, put, changed },
            )
          }
        />
      </Section>
      <Section title={texts.finding.wrong}>
        <p>{words.wrong(record.places, record.openPlaces)}</p>
      </Section>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.verified, verifiedOf(record)],
            [words.checked, record.checkedAt && timeOf(record.checkedAt)],
            [words.sources, record.tools.join(', ')],
            [columns.first, timeOf(record.firstSeenAt)],
          ]}
        />
      </Section>
      <Places id={record.id} />
    </>
  ),
};

const bulk: BulkKind<ExposedCredential['status']> = {
  words,
  actions: STATUSES.map((status) => ({ status, label: texts.moves[status] })),
  statuses: STATUSES,
  send: (selection, { status, reason }, { dryRun, waitSeconds }) =>
    client.PATCH('/api/v1/exposed-credentials', {
      params: { query: { waitSeconds } },
      body: { ...selection, changes: { status }, ...(reason && { reason }), ...(dryRun && { dryRun }) },
    }),
  undo: (params) => client.POST('/api/v1/exposed-credentials/bulk/{taskId}/undo', { params }),
};

const kind: RecordKind<ExposedCredential> = {
  name: 'exposed-credential',
  entity: 'exposed-credential',
  feed: 'exposed-credential',
  path: '/api/v1/exposed-credentials',
  icon: 'key',
  title: texts.screens.credentials,
  words,
  facets: [statusFacet(STATUSES)],
  titleOf,
  load: (search) => answerOf(client.GET('/api/v1/exposed-credentials', asTyped(search))),
  Drawer: drawerOf(detail),
  Bulk: bulkOf(bulk),
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: (row) => (
        <>
          <span class="cut strong">{titleOf(row)}</span>
          <span class="cut soft small">{row.assets.map(({ name }) => name).join(', ')}</span>
        </>
      ),
    },
    statusColumn(columns.status),
    { name: 'verified', label: columns.verified, width: '132px', shown: 'phone', cell: verifiedOf },
    { name: 'places', label: columns.places, width: '72px', cell: ({ places }) => count(places) },
    { name: 'first', label: columns.first, width: '124px', cell: ({ firstSeenAt }) => agoOf(firstSeenAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
