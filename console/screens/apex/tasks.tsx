import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { ApexTask, ApexTaskItem } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, percentOf, timeOf } from '../../parts/format.ts';
import { SEVERITIES, SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordList } from '../../records/record-list.tsx';
import { statusColumn } from '../../records/usual-columns.tsx';
import { count } from '../../texts/amounts.ts';
import { apexTask } from '../../texts/apex.ts';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { ViewsWithStop } from './views.tsx';

const { columns, ...words } = apexTask;
const STATUSES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;

const kindOf = ({ type }: Pick<ApexTask, 'type'>): string => nameOf(type);
const titleOf = (task: Pick<ApexTask, 'title' | 'type'>): string => task.title ?? kindOf(task);
const namesOf = (targets: ApexTask['targets']): string => targets.map(({ value }) => value).join(', ');

const detail: Detail<ApexTask> = {
  title: texts.screens.apexTasks,
  path: '/apex-tasks',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/apex/tasks/{id}', { params: { path: { id } } })),
  ),
  titleOf,
  Marks: ({ record }) => (
    <>
      <StatusMark status={record.status} />
      <span class="tag">{kindOf(record)}</span>
    </>
  ),
  Sections: (props) => {
    const { record } = props;
    return (
      <>
        <Next {...props} />
        <Section title={words.objective}>
          <Prose text={record.objective} />
          <Facts
            rows={[
              [words.targets, namesOf(record.targets)],
              [words.exclusions, namesOf(record.exclusions)],
            ]}
          />
        </Section>
        <Section title={texts.finding.page.facts}>
          <Facts
            rows={[
              [
                columns.appliance,
                record.appliance && <Link href={`/appliances/${record.appliance.id}`}>{record.appliance.name}</Link>,
              ],
              [words.campaign, record.campaignId && <Link href={`/campaigns/${record.campaignId}`}>{words.show}</Link>],
              [words.approvedBy, record.approvedBy?.name],
              [words.attempt, words.attemptOf(record.attempt, record.maxAttempts)],
              [words.step, record.progress?.message ?? record.progress?.step],
              [words.started, record.startedAt && timeOf(record.startedAt)],
              [words.finished, record.finishedAt && timeOf(record.finishedAt)],
              [words.tokens, count(record.usage.inputTokens + record.usage.outputTokens)],
            ]}
          />
        </Section>
        <Section title={words.evidence}>
          {record.result?.summary ? <Prose text={record.result.summary} /> : <p class="soft">{words.none}</p>}
          <p class="facts">
            {SEVERITIES.filter((severity) => record.findings[severity] > 0).map((severity) => (
              <span key={severity}>
                <SeverityMark severity={severity} /> {count(record.findings[severity])}
              </span>
            ))}
          </p>
        </Section>
      </>
    );
  },
};

/** The decision that a dangerous task waits for, at the version that the person has read. */
function Next({ record, put, changed }: PartProps<ApexTask>) {
  const at = { params: { path: { id: record.id } } };
  const body = { version: record.version };
  const base = '/api/v1/validation-operations/apex/tasks/{id}';
  const isAsked = record.waitingReason === 'approval';
  const canCancel = (record.status === 'pending' || record.status === 'running') && record.cancelRequestedAt === null;
  return (
    <Section title={texts.finding.next}>
      {record.waitingReason && <p class={isAsked ? 'strong' : ''}>{words.waiting[record.waitingReason]}</p>}
      {record.error && <p class="overdue">{record.error.message}</p>}
      <div class="actions">
        {isAsked && (
          <>
            <button
              type="button"
              class="button main"
              onClick={() =>
                void act(client.POST(`${base}/approve`, { ...at, body }), { done: words.approved, put, changed })
              }
            >
              {words.approve}
            </button>
            <button
              type="button"
              class="button"
              onClick={() =>
                void act(client.POST(`${base}/deny`, { ...at, body }), { done: words.denied, put, changed })
              }
            >
              {words.deny}
            </button>
          </>
        )}
        {canCancel && (
          <button
            type="button"
            class="button"
            onClick={() => void act(client.POST(`${base}/cancel`, at), { done: words.cancelled, put, changed })}
          >
            {words.cancel}
          </button>
        )}
        <Link class="button" href={`/engagements/${record.engagementId}`}>
          {texts.scannerTask.engagement}
        </Link>
      </div>
    </Section>
  );
}

const kind: RecordKind<ApexTaskItem> = {
  name: 'apex-task',
  feed: 'apex-task',
  path: '/api/v1/validation-operations/apex/tasks',
  icon: 'check',
  title: texts.screens.apexTasks,
  words,
  facets: [statusFacet(STATUSES)],
  titleOf,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/apex/tasks', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: ViewsWithStop,
  columns: [
    { name: 'title', label: columns.title, cell: (row) => <span class="cut strong">{titleOf(row)}</span> },
    statusColumn(columns.status, '116px'),
    { name: 'type', label: columns.type, width: '180px', shown: 'phone', cell: kindOf },
    {
      name: 'appliance',
      label: columns.appliance,
      width: '140px',
      cell: ({ appliance }) => <span class="cut">{appliance?.name ?? '–'}</span>,
    },
    {
      name: 'progress',
      label: columns.progress,
      width: '92px',
      cell: ({ progress }) => (progress?.fraction === undefined ? '–' : percentOf(progress.fraction)),
    },
    { name: 'made', label: columns.made, width: '124px', cell: ({ createdAt }) => agoOf(createdAt) },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
