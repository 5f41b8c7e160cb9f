import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { FROM_INTEGRATIONS } from '../../records/starts.ts';
import { identity } from '../../texts/inventory.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';

type Identity = RecordOf<'Identity'>;
const { columns, ...words } = identity;
const STATUSES = ['active', 'disabled', 'deleted'] as const;
const STEPS = ['true', 'false', 'unknown'] as const;
const FIRST = 8;
const base = '/api/v1/identities';

const withId = (id: string) => ({ params: { path: { id }, query: { paginateSize: FIRST } } });
const useAlerts = question((id) => answerOf(client.GET(`${base}/{id}/alerts`, withId(id))));
const useCredentials = question((id) => answerOf(client.GET(`${base}/{id}/exposed-credentials`, withId(id))));

const titleOf = ({ displayName, names, externalId }: Identity): string => displayName ?? names[0] ?? externalId;
const stepOf = ({ hasMfa }: Identity): string => words.steps[hasMfa === null ? 'unknown' : hasMfa ? 'true' : 'false'];
const isRisky = ({ isPrivileged, hasMfa, status }: Identity): boolean =>
  status === 'active' && isPrivileged === true && hasMfa === false;

const detail: Detail<Identity> = {
  title: texts.screens.identities,
  path: '/identities',
  useRecord: question((id) => answerOf(client.GET(`${base}/{id}`, { params: { path: { id } } }))),
  titleOf,
  Marks: ({ record: { kind, status, isPrivileged } }) => (
    <>
      <span class="tag">{words.kinds[kind]}</span>
      <span class="tag">{words.statuses[status]}</span>
      {isPrivileged && <span class="tag tag-kev">{words.privileged}</span>}
    </>
  ),
  Sections: ({ record }) => (
    <>
      <Section title={texts.finding.next}>
        <p class={isRisky(record) ? 'overdue' : ''}>{isRisky(record) ? words.next.risky : words.next.well}</p>
      </Section>
      <Related title={words.credentials} asked={useCredentials(record.id)} none={words.noCredentials}>
        {({ id, kind: type, account, masked, status }) => (
          <>
            <Link href={`/exposed-credentials/${id}`}>{account ?? masked ?? nameOf(type)}</Link>
            <StatusMark status={status} />
          </>
        )}
      </Related>
      <Related title={words.alerts} asked={useAlerts(record.id)} none={words.noAlerts}>
        {({ id, title, severity }) => (
          <>
            <Link href={`/alerts/${id}`}>{title}</Link>
            <SeverityMark severity={severity} />
          </>
        )}
      </Related>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [columns.source, record.source],
            [words.names, record.names.join(', ')],
            [columns.step, stepOf(record)],
            [columns.signIn, record.lastSignInAt ? timeOf(record.lastSignInAt) : words.never],
            [words.password, record.passwordChangedAt && timeOf(record.passwordChangedAt)],
            [words.first, timeOf(record.firstSeenAt)],
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

const kind: RecordKind<Identity> = {
  name: 'identity',
  feed: 'identity',
  entity: 'identity',
  path: base,
  icon: 'people',
  title: texts.screens.identities,
  words,
  start: FROM_INTEGRATIONS,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
    { name: 'hasMfa', label: columns.step, values: STEPS.map((value) => ({ value, label: words.steps[value] })) },
  ],
  titleOf,
  load: (search) => answerOf(client.GET(base, asTyped(search))),
  Drawer: drawerOf(detail),
  columns: [
    {
      name: 'title',
      label: columns.title,
      cell: (row) => (
        <>
          <span class="cut strong">
            {row.isPrivileged && <span class="tag">{words.privileged}</span>}
            {titleOf(row)}
          </span>
          <span class="cut soft small">{row.names.join(' · ')}</span>
        </>
      ),
    },
    { name: 'source', label: columns.source, width: '140px', cell: ({ source }) => <span class="cut">{source}</span> },
    {
      name: 'status',
      label: columns.status,
      width: '104px',
      shown: 'phone',
      cell: ({ status }) => <span class="tag">{words.statuses[status]}</span>,
    },
    { name: 'step', label: columns.step, width: '108px', shown: 'named', cell: stepOf },
    {
      name: 'signIn',
      label: columns.signIn,
      width: '124px',
      cell: ({ lastSignInAt }) => (lastSignInAt ? agoOf(lastSignInAt) : words.never),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
