import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ScannerTask } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, percentOf, timeOf } from '../../parts/format.ts';
import { StatusMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';

const { columns, ...words } = texts.scannerTask;

const titleOf = ({ target }: ScannerTask): string => target.value;
const EVERY_MS = 5_000;

const isWaiting = ({ status, cancelRequestedAt }: ScannerTask): boolean =>
  (status === 'pending' || status === 'running') && cancelRequestedAt === null;

const detail: Detail<ScannerTask> = {
  title: texts.screens.scannerTasks,
  path: '/scanner-tasks',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/scanner-tasks/{id}', { params: { path: { id } } })),
  ),
  titleOf,
  Marks: ({ record: { status, type } }) => (
    <>
      <StatusMark status={status} />
      <span class="tag">{words.types[type]}</span>
    </>
  ),
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={texts.finding.next}>
        {record.waitingReason && <p>{words.waiting[record.waitingReason]}</p>}
        {record.error && <p class="overdue">{record.error.message}</p>}
        <p class="soft">{record.result ? words.result(record.result.created, record.result.closed) : words.none}</p>
        {isWaiting(record) && (
          <div class="actions">
            <button
              type="button"
              class="button"
              onClick={() =>
                void act(
                  client.POST('/api/v1/validation-operations/scanner-tasks/{id}/cancel', {
                    params: { path: { id: record.id } },
                  }),
                  { done: words.cancelled, put, changed },
                )
              }
            >
              {words.cancel}
            </button>
          </div>
        )}
        {record.engagementId && <Link href={`/engagements/${record.engagementId}`}>{words.engagement}</Link>}
      </Section>
      <Section title={texts.finding.page.facts}>
        <Facts
          rows={[
            [
              columns.scanner,
              record.scanner && <Link href={`/scanners/${record.scanner.id}`}>{record.scanner.name}</Link>,
            ],
            [words.attempt, words.attemptOf(record.attempt, record.maxAttempts)],
            [columns.created, timeOf(record.createdAt)],
            [words.started, record.startedAt && timeOf(record.startedAt)],
            [words.finished, record.finishedAt && timeOf(record.finishedAt)],
          ]}
        />
      </Section>
    </>
  ),
};

const kind: RecordKind<ScannerTask> = {
  name: 'scanner-task',
  everyMs: EVERY_MS,
  path: '/api/v1/validation-operations/scanner-tasks',
  icon: 'check',
  title: texts.screens.scannerTasks,
  words,
  titleOf,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/scanner-tasks', asTyped(search))),
  Drawer: drawerOf(detail),
  columns: [
    { name: 'title', label: columns.title, cell: (row) => <span class="cut strong">{titleOf(row)}</span> },
    statusColumn(columns.status, '116px'),
    { name: 'type', label: columns.type, shown: 'phone', cell: ({ type }) => words.types[type] },
    {
      name: 'scanner',
      label: columns.scanner,
      width: '148px',
      cell: ({ scanner }) => <span class="cut">{scanner?.name ?? '–'}</span>,
    },
    {
      name: 'progress',
      label: columns.progress,
      width: '92px',
      cell: ({ progress }) => (progress === null ? <span class="soft">–</span> : percentOf(progress / 100)),
    },
    { name: 'created', label: columns.created, width: '124px', cell: ({ createdAt }) => agoOf(createdAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
