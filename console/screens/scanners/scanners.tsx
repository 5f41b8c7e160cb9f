import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Scanner } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { machineFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { FROM_MACHINES } from '../../records/starts.ts';
import { Turn } from '../../records/turn.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { Views } from './views.tsx';

const { columns, ...words } = texts.scanner;

const seenOf = ({ lastSeenAt }: Scanner): string => (lastSeenAt === null ? words.never : agoOf(lastSeenAt));
const versionOf = ({ softwareVersion, versionStatus }: Scanner): string | null =>
  softwareVersion && `${softwareVersion} (${words.versions[versionStatus]})`;

const detail: Detail<Scanner> = {
  title: texts.screens.scanners,
  path: '/scanners',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/scanners/{id}', { params: { path: { id } } })),
  ),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <StatusMark status={status} />,
  Sections: ({ record, put, changed }) => (
    <>
      <Turn
        text={words.next[record.status]}
        isOn={record.enabled}
        words={words}
        turn={(enabled) =>
          void act(
            client.PATCH('/api/v1/validation-operations/scanners/{id}', {
              params: { path: { id: record.id } },
              headers: { 'if-match': `"${record.version}"` },
              body: { enabled },
            }),
            { done: words.changed, put, changed },
          )
        }
      />
      <Section title={texts.finding.page.facts}>
        {record.lastError && (
          <p class="overdue">
            {words.error}: {record.lastError}
          </p>
        )}
        <Facts
          rows={[
            [columns.seen, record.lastSeenAt ? timeOf(record.lastSeenAt) : words.never],
            [columns.running, count(record.runningTasks)],
            [words.capacity, record.capacity !== null && count(record.capacity)],
            [words.does, record.supportedTaskTypes.map((type) => words.types[type]).join(', ')],
            [columns.zone, record.zone],
            [columns.version, versionOf(record)],
            [words.host, record.hostname],
            [words.platform, record.platform],
            [words.address, record.remoteAddress],
            [
              words.tools,
              record.tools.map(({ name, version }) => [name, version].filter(Boolean).join(' ')).join(', '),
            ],
          ]}
        />
        <RecordActs
          name={record.name}
          words={words}
          remove={() =>
            answerOf(
              client.DELETE('/api/v1/validation-operations/scanners/{id}', { params: { path: { id: record.id } } }),
            )
          }
        />
      </Section>
    </>
  ),
};

const kind: RecordKind<Scanner> = {
  name: 'scanner',
  feed: 'scanner',
  path: '/api/v1/validation-operations/scanners',
  icon: 'scanner',
  title: texts.screens.scanners,
  words,
  start: FROM_MACHINES,
  facets: [machineFacet],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/scanners', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: Views,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    statusColumn(columns.status, '132px'),
    { name: 'seen', label: columns.seen, width: '124px', shown: 'named', cell: seenOf },
    {
      name: 'zone',
      label: columns.zone,
      cell: ({ zone }) => (zone === null ? <span class="soft">–</span> : <span class="cut">{zone}</span>),
    },
    { name: 'running', label: columns.running, width: '84px', cell: ({ runningTasks }) => count(runningTasks) },
    {
      name: 'version',
      label: columns.version,
      width: '180px',
      shown: 'wide',
      cell: (row) => <span class="cut">{versionOf(row) ?? '–'}</span>,
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
