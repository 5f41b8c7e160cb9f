import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Appliance } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { Turn } from '../../records/turn.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { appliance } from '../../texts/apex.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

const { columns, ...words } = appliance;
const STATUSES = ['online', 'offline', 'never_connected', 'disabled'] as const;

const sessionOf = ({ session }: Appliance): string =>
  session ? words.since(words.sessions[session.state], agoOf(session.updatedAt)) : words.noSession;

const detail: Detail<Appliance> = {
  title: texts.screens.appliances,
  path: '/appliances',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/apex/{id}', { params: { path: { id } } })),
  ),
  titleOf: ({ name }) => name,
  Marks: ({ record }) => (
    <>
      <StatusMark status={record.status} />
      {record.public && <span class="tag">{words.shared}</span>}
    </>
  ),
  Sections: ({ record, put, changed }) => (
    <>
      <Turn
        text={words.next[record.status]}
        isOn={record.enabled}
        words={words}
        turn={(enabled) =>
          void act(
            client.PATCH('/api/v1/validation-operations/apex/{id}', {
              params: { path: { id: record.id } },
              headers: { 'if-match': `"${record.version}"` },
              body: { enabled },
            }),
            { done: words.changed, put, changed },
          )
        }
      />
      <Section title={texts.finding.matters}>
        <Facts
          rows={[
            [words.session, sessionOf(record)],
            [columns.seen, record.lastSeenAt ? timeOf(record.lastSeenAt) : words.never],
            [columns.running, record.runningTasks !== undefined && count(record.runningTasks)],
            [words.capacity, record.capacity !== null && count(record.capacity)],
            [words.does, record.taskTypes.map((type) => type.replaceAll('_', ' ')).join(', ')],
            [columns.zone, record.zone],
            [words.host, record.hostname],
            [words.version, record.softwareVersion],
            [words.maintenance, record.maintenanceUntil && timeOf(record.maintenanceUntil)],
            [words.notes, record.notes],
          ]}
        />
      </Section>
    </>
  ),
};

const kind: RecordKind<Appliance> = {
  name: 'appliance',
  feed: 'apex-appliance',
  path: '/api/v1/validation-operations/apex',
  icon: 'scanner',
  title: texts.screens.appliances,
  words,
  facets: [statusFacet(STATUSES)],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/apex', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    statusColumn(columns.status, '132px'),
    {
      name: 'session',
      label: columns.session,
      width: '180px',
      cell: (row) => <span class="cut">{sessionOf(row)}</span>,
    },
    {
      name: 'seen',
      label: columns.seen,
      width: '124px',
      shown: 'phone',
      cell: ({ lastSeenAt }) => (lastSeenAt ? agoOf(lastSeenAt) : words.never),
    },
    { name: 'zone', label: columns.zone, width: '124px', cell: ({ zone }) => <span class="cut">{zone ?? '–'}</span> },
    { name: 'running', label: columns.running, width: '84px', cell: ({ runningTasks = 0 }) => count(runningTasks) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
