import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Campaign, CampaignItem } from '../../api/types.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { SEVERITIES, SeverityMark } from '../../parts/marks.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { aheadOf } from '../../records/memory.ts';
import { DetailActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { count } from '../../texts/amounts.ts';
import { campaign } from '../../texts/apex.ts';
import { campaignForm } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';
import { fieldsOf, newOf, patchOf, preview, useEngagements } from './campaign-form.tsx';
import { Views } from './views.tsx';

const { columns, ...words } = campaign;
const STATUSES = ['running', 'paused', 'scheduled', 'failed', 'completed', 'cancelled', 'draft'] as const;
const STATES = ['failed', 'running', 'pending', 'completed', 'cancelled'] as const;
const FIRST = 8;

const useRuns = question((id) =>
  answerOf(
    client.GET('/api/v1/validation-operations/apex/campaigns/{id}/runs', {
      params: { path: { id }, query: { paginateSize: FIRST } },
    }),
  ),
);

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, amount) => all + amount, 0);

const Status = ({ status }: Pick<CampaignItem, 'status'>) => (
  <span class={`status status-${status}`}>{words.statuses[status]}</span>
);

const detail: Detail<Campaign> = {
  title: texts.screens.campaigns,
  path: '/campaigns',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/apex/campaigns/{id}', { params: { path: { id } } })),
  ),
  titleOf: ({ name }) => name,
  Marks: ({ record: { status } }) => <Status status={status} />,
  Sections: (props) => {
    const { record } = props;
    const run = record.currentRun?.id ?? record.lastRunId;
    return (
      <>
        <Next {...props} />
        <Section title={words.tasks}>
          <Facts
            rows={STATES.map((state) => [
              words.states[state],
              run && record.tasks[state] > 0 ? (
                <Link key={state} href={`/apex-tasks?runId=${run}&status=${state}`}>
                  {count(record.tasks[state])}
                </Link>
              ) : (
                count(record.tasks[state])
              ),
            ])}
          />
          <Link href={`/apex-tasks?campaignId=${record.id}`}>{words.showTasks}</Link>
        </Section>
        <Section title={words.found}>
          <p class="facts">
            {SEVERITIES.map((severity) => (
              <span key={severity}>
                <SeverityMark severity={severity} /> {count(record.findings[severity])}
              </span>
            ))}
          </p>
          <Link href={`/findings?engagementId=${record.engagementId}`}>{words.showFindings}</Link>
        </Section>
        <Section title={words.facts}>
          <Facts
            rows={[
              [columns.next, record.nextRunAt && timeOf(record.nextRunAt)],
              [words.runs, count(record.runs)],
              [
                words.tokens,
                words.ofMost(record.usage.inputTokens + record.usage.outputTokens, record.limits.maxTokens),
              ],
              [words.zone, record.zone],
            ]}
          />
        </Section>
        <Runs id={record.id} />
      </>
    );
  },
};

function Next({ record, put, changed }: PartProps<Campaign>) {
  const at = { params: { path: { id: record.id } } };
  const base = '/api/v1/validation-operations/apex/campaigns/{id}';
  const { status } = record;
  const done = { done: words.changed, put, changed };
  return (
    <Section title={texts.finding.next}>
      <p>{words.next[status]}</p>
      {record.statusReason && <p class="soft">{record.statusReason}</p>}
      <div class="actions">
        {status === 'running' && (
          <button type="button" class="button main" onClick={() => void act(client.POST(`${base}/pause`, at), done)}>
            {words.pause}
          </button>
        )}
        {status === 'paused' && (
          <button type="button" class="button main" onClick={() => void act(client.POST(`${base}/resume`, at), done)}>
            {words.resume}
          </button>
        )}
        {(status === 'running' || status === 'paused') && (
          <button
            type="button"
            class="button"
            onClick={() => void act(client.POST(`${base}/cancel`, at), { done: words.changed, changed })}
          >
            {words.cancel}
          </button>
        )}
        {status !== 'running' && status !== 'paused' && (
          <button
            type="button"
            class="button"
            onClick={() => void act(client.POST(`${base}/run`, at), { done: words.queued, changed })}
          >
            {words.run}
          </button>
        )}
        <Link class="button" href={`/engagements/${record.engagementId}`}>
          {words.engagement}
        </Link>
      </div>
      <DetailActs
        of={{ record, put, changed }}
        words={campaignForm}
        fields={fieldsOf([], record)}
        save={(values) => {
          const headers = { 'if-match': `"${record.version}"` };
          return answerOf(client.PATCH(base, { ...at, headers, body: patchOf(values, record) }));
        }}
        remove={() => answerOf(client.DELETE(base, at))}
      />
    </Section>
  );
}

const Runs = ({ id }: { id: string }) => (
  <Related title={words.runsTitle} asked={useRuns(id)} none={words.noRuns}>
    {({ id: runId, status, startedAt, tasks, statusReason }) => (
      <>
        <Link href={`/apex-tasks?runId=${runId}`}>{words.doneOf(tasks.completed, sum(tasks))}</Link>
        <span class="soft small">{[statusReason, startedAt && agoOf(startedAt)].filter(Boolean).join(', ')}</span>
        <span class="tag">{status}</span>
      </>
    )}
  </Related>
);

function Lead() {
  const { data: engagements } = useEngagements('');
  return (
    <>
      <Views />
      {engagements?.length === 0 && <p class="soft">{campaignForm.noEngagement}</p>}
      {engagements && engagements.length > 0 && (
        <p>
          <FormDialog
            label={campaignForm.add}
            fields={fieldsOf(engagements)}
            preview={preview}
            send={async (values): Promise<undefined> => {
              await answerOf(client.POST('/api/v1/validation-operations/apex/campaigns', { body: newOf(values) }));
            }}
          />
        </p>
      )}
    </>
  );
}

const kind: RecordKind<CampaignItem> = {
  name: 'campaign',
  feed: 'apex-campaign',
  path: '/api/v1/validation-operations/apex/campaigns',
  icon: 'target',
  title: texts.screens.campaigns,
  words,
  facets: [
    {
      name: 'status',
      label: columns.status,
      values: STATUSES.map((value) => ({ value, label: words.statuses[value] })),
    },
  ],
  titleOf: ({ name }) => name,
  load: (search) => answerOf(client.GET('/api/v1/validation-operations/apex/campaigns', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead,
  columns: [
    { name: 'title', label: columns.title, cell: ({ name }) => <span class="cut strong">{name}</span> },
    {
      name: 'status',
      label: columns.status,
      width: '116px',
      shown: 'phone',
      cell: ({ status }) => <Status status={status} />,
    },
    {
      name: 'tasks',
      label: columns.tasks,
      width: '156px',
      shown: 'phone',
      cell: ({ tasks }) => words.doneOf(tasks.completed, sum(tasks)),
    },
    { name: 'findings', label: columns.findings, width: '92px', cell: ({ findings }) => count(sum(findings)) },
    {
      name: 'next',
      label: columns.next,
      width: '124px',
      cell: ({ nextRunAt }) => (nextRunAt ? agoOf(nextRunAt) : words.none),
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
