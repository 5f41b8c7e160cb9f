import { Link } from 'wouter-preact';
import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { DetectionRule, DetectionRuleItem } from '../../api/types.ts';
import type { Field } from '../../forms/field.ts';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { timeOf } from '../../parts/format.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { SEVERITY_FACET } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { severityColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';
import { AddPack } from './add-pack.tsx';
import { Hunt } from './hunt.tsx';
import { TestBench } from './test-bench.tsx';
import { Tuning } from './tuning.tsx';

const { columns, ...words } = texts.detection;

const sourceOf = ({ logsources }: Pick<DetectionRule, 'logsources'>): string =>
  logsources
    .map(({ category, product, service }) =>
      [product, service, category].filter(Boolean).join(' ').replaceAll('_', ' '),
    )
    .join(', ');

const contentField = (initial = ''): Field => ({
  name: 'content',
  label: words.content,
  hint: words.contentHint,
  kind: 'long',
  required: true,
  initial,
});

function Acts({ record: { id, version, title, content }, put, changed }: PartProps<DetectionRule>) {
  const at = { params: { path: { id } } };
  const headers = { 'if-match': `"${version}"` };
  return (
    <RecordActs
      name={title}
      words={words}
      fields={[contentField(content)]}
      save={async ({ text }) => {
        const body = { content: text('content') };
        put(await answerOf(client.PATCH('/api/v1/detection/rules/{id}', { ...at, headers, body })));
        changed();
      }}
      remove={() => answerOf(client.DELETE('/api/v1/detection/rules/{id}', at))}
    />
  );
}

const AddRule = () => (
  <FormDialog
    label={words.add}
    fields={[contentField()]}
    send={async ({ text }): Promise<undefined> => {
      await answerOf(client.POST('/api/v1/detection/rules', { body: { content: text('content') } }));
    }}
  />
);

const useCounted = question((ids) => answerOf(client.GET('/api/v1/detection/rules', asTyped(`ids=${ids}`))));

/** The stored rules that a correlation counts. */
const Counted = ({ ids }: { ids: readonly string[] }) => (
  <Related title={words.counts} asked={useCounted(ids.join(','))} none={words.none}>
    {({ id, title }) => <Link href={`/detections/${id}`}>{title}</Link>}
  </Related>
);

const detail: Detail<DetectionRule> = {
  title: texts.screens.detections,
  path: '/detections',
  useRecord: question((id) => answerOf(client.GET('/api/v1/detection/rules/{id}', { params: { path: { id } } }))),
  titleOf: ({ title }) => title,
  Marks: ({ record: { severity, enabled } }) => (
    <>
      <SeverityMark severity={severity} />
      <span class="tag">{enabled ? words.on : words.off}</span>
    </>
  ),
  Sections: ({ record, put, changed }) => (
    <>
      <Section title={texts.finding.next}>
        {record.switchedOffReason && <p>{record.switchedOffReason}</p>}
        <p class="actions">
          <button
            type="button"
            class={record.enabled ? 'button' : 'button main'}
            onClick={() =>
              void act(
                client.PATCH('/api/v1/detection/rules/{id}', {
                  params: { path: { id: record.id } },
                  headers: { 'if-match': `"${record.version}"` },
                  body: { enabled: !record.enabled },
                }),
                { done: words.switched(!record.enabled), put, changed },
              )
            }
          >
            {record.enabled ? words.switchOff : words.switchOn}
          </button>
          <Link class="button" href={`/alerts?ruleId=${record.id}`}>
            {words.alerts}
          </Link>
          <Link class="button" href={`/logs?ruleId=${record.id}&range=7d`}>
            {words.hunt}
          </Link>
        </p>
      </Section>
      <Tuning record={record} put={put} changed={changed} />
      <Section title={words.facts}>
        {record.description && <Prose text={record.description} />}
        <Facts
          rows={[
            [columns.source, sourceOf(record)],
            [columns.techniques, record.attackTechniques.join(', ')],
            [words.origin, words.origins[record.origin]],
            [words.unseen, record.unseenLogsources.length > 0 && sourceOf({ logsources: record.unseenLogsources })],
            [words.learnsUntil, record.learnsUntil && timeOf(record.learnsUntil)],
          ]}
        />
      </Section>
      {record.counts && record.counts.length > 0 && <Counted ids={record.counts} />}
      <Section title={words.content}>
        <pre class="whole">{record.content}</pre>
        {record.origin === 'starter' ? (
          <p class="soft">{words.starterStays}</p>
        ) : (
          <Acts record={record} put={put} changed={changed} />
        )}
      </Section>
    </>
  ),
  Side: ({ record: { content } }) => (
    <>
      <Section title={words.past.title}>
        <Hunt asked={{ content }} lead={words.past.lead} />
      </Section>
      <TestBench content={content} />
    </>
  ),
};

const kind: RecordKind<DetectionRuleItem> = {
  name: 'detection-rule',
  feed: 'detection-rule',
  path: '/api/v1/detection/rules',
  icon: 'target',
  title: texts.screens.detections,
  words,
  facets: [
    SEVERITY_FACET,
    {
      name: 'enabled',
      label: columns.state,
      values: [
        { value: 'true', label: words.on },
        { value: 'false', label: words.off },
      ],
    },
  ],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/detection/rules', asTyped(search))),
  Drawer: drawerOf(detail),
  Lead: () => <AddPack beside={<AddRule />} />,
  columns: [
    severityColumn(columns.severity),
    { name: 'title', label: columns.title, cell: ({ title }) => <span class="cut strong">{title}</span> },
    {
      name: 'state',
      label: columns.state,
      width: '64px',
      shown: 'phone',
      cell: ({ enabled }) => (enabled ? words.on : words.off),
    },
    {
      name: 'source',
      label: columns.source,
      width: 'minmax(190px, 1fr)',
      cell: (row) => <span class="cut">{sourceOf(row)}</span>,
    },
    {
      name: 'techniques',
      label: columns.techniques,
      width: '150px',
      shown: 'wide',
      cell: ({ attackTechniques }) => <span class="cut">{attackTechniques.join(', ')}</span>,
    },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
