import { answerOf, asTyped, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Remediation } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { PersonChoice } from '../../parts/assignee.tsx';
import { Act } from '../../parts/listing.tsx';
import { DueMark, StatusMark } from '../../parts/marks.tsx';
import { Moves } from '../../parts/moves.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { type Detail, drawerOf, type PartProps, pageOf } from '../../records/detail.tsx';
import type { RecordKind } from '../../records/kind.ts';
import { statusFacet } from '../../records/lists.ts';
import { aheadOf } from '../../records/memory.ts';
import { RecordActs } from '../../records/record-acts.tsx';
import { RecordList } from '../../records/record-list.tsx';
import { assigneeColumn, statusColumn } from '../../records/usual-columns.tsx';
import { texts } from '../../texts.ts';
import { bodyOf, fieldsOf } from './plan.tsx';
import { RemediationFindings } from './remediation-findings.tsx';

const { columns, ...words } = texts.remediation;
const STATUSES = ['planned', 'in_progress', 'done', 'verified', 'cancelled'] as const;
/** The service verifies by a scan; a person sets the others. */
const MOVES = ['planned', 'in_progress', 'done', 'cancelled'] as const;

type Wanted = { status?: (typeof MOVES)[number]; assigneeId?: string | null };

const change = ({ record: { id, version }, put, changed }: PartProps<Remediation>, body: Wanted) =>
  act(
    client.PATCH('/api/v1/remediations/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
    { done: words.changed, put, changed },
  );

function Acts({ record: remediation, put, changed }: PartProps<Remediation>) {
  const { id, version, title, status } = remediation;
  const at = { params: { path: { id } } };
  const headers = { 'if-match': `"${version}"` };
  return (
    <RecordActs
      name={title}
      words={words}
      fields={fieldsOf(remediation)}
      save={async (values) => {
        put(await answerOf(client.PATCH('/api/v1/remediations/{id}', { ...at, headers, body: bodyOf(values) })));
        changed();
      }}
      remove={() => answerOf(client.DELETE('/api/v1/remediations/{id}', at))}
    >
      {status === 'done' && (
        <Act
          label={words.verify}
          done={words.verifying}
          run={() => answerOf(client.POST('/api/v1/remediations/{id}/verify', at))}
        />
      )}
    </RecordActs>
  );
}

/** A remediation without findings says so where they would be. */
const Progress = ({ fixed, total, fixedByScan }: Remediation['progress']) =>
  total === 0 ? null : (
    <Section title={texts.finding.matters}>
      <p>{words.progress(fixed, total, fixedByScan)}</p>
      <progress aria-label={columns.progress} max={total} value={fixed} />
    </Section>
  );

const detail: Detail<Remediation> = {
  title: texts.screens.remediations,
  path: '/remediations',
  useRecord: question((id) => answerOf(client.GET('/api/v1/remediations/{id}', { params: { path: { id } } }))),
  titleOf: ({ title }) => title,
  Marks: ({ record: { status, dueAt } }) => (
    <>
      <StatusMark status={status} />
      {dueAt && <DueMark dueAt={dueAt} />}
    </>
  ),
  Sections: (part) => (
    <>
      <Section title={texts.finding.next}>
        {part.record.description && <Prose text={part.record.description} />}
        <Moves statuses={MOVES} current={part.record.status} move={(status) => void change(part, { status })} />
        <Acts {...part} />
      </Section>
      <Progress {...part.record.progress} />
      <Section title={texts.finding.who}>
        <PersonChoice
          label={columns.assignee}
          id={part.record.assigneeId}
          choose={(assigneeId) => void change(part, { assigneeId })}
        />
      </Section>
      <RemediationFindings id={part.record.id} />
    </>
  ),
};

const kind: RecordKind<Remediation> = {
  name: 'remediation',
  feed: 'remediation',
  path: '/api/v1/remediations',
  icon: 'wrench',
  title: texts.screens.remediations,
  words,
  facets: [statusFacet(STATUSES)],
  titleOf: ({ title }) => title,
  load: (search) => answerOf(client.GET('/api/v1/remediations', asTyped(search))),
  Drawer: drawerOf(detail),
  columns: [
    { name: 'title', label: columns.title, cell: ({ title }) => <span class="cut strong">{title}</span> },
    statusColumn(columns.status),
    {
      name: 'progress',
      label: columns.progress,
      width: '132px',
      shown: 'phone',
      cell: ({ progress }) => words.fixedOf(progress.fixed, progress.total),
    },
    assigneeColumn(columns.assignee, '140px'),
    { name: 'due', label: columns.due, width: '104px', cell: ({ dueAt }) => <DueMark dueAt={dueAt} /> },
  ],
};

export const parts = { List: () => <RecordList kind={kind} />, Page: pageOf(detail), ahead: aheadOf(kind) };
