import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Engagement } from '../../api/types.ts';
import { recurrenceOf } from '../../forms/schedule.ts';
import { act } from '../../parts/act.ts';
import { Facts } from '../../parts/facts.tsx';
import { OneText } from '../../parts/form.tsx';
import { timeOf } from '../../parts/format.ts';
import { DueMark, StatusMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { TargetList } from '../../parts/target-list.tsx';
import type { Detail, PartProps } from '../../records/detail.tsx';
import { engagementForm } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';
import { EngagementActs, Notes, Runs } from './engagement-acts.tsx';

const { columns, ...words } = texts.engagement;

/** The service refuses a decision about another version than the one that the person read. */
function Decision({ record: { id, version, status }, put, changed }: PartProps<Engagement>) {
  const params = { path: { id } };
  if (status !== 'requested') return <p class="soft">{words.noDecision}</p>;
  return (
    <>
      <p>{words.waits}</p>
      <div class="actions">
        <button
          type="button"
          class="button main"
          onClick={() =>
            void act(
              client.POST('/api/v1/validation-operations/engagements/{id}/approve', { params, body: { version } }),
              { done: words.approved, put, changed },
            )
          }
        >
          {texts.approve}
        </button>
      </div>
      <OneText
        label={words.why}
        submit={texts.deny}
        send={(reason) =>
          act(
            client.POST('/api/v1/validation-operations/engagements/{id}/reject', { params, body: { version, reason } }),
            { done: words.rejected, put, changed },
          )
        }
      />
    </>
  );
}

const Scope = ({ title, scope }: { title: string; scope: Engagement['targets'] }) =>
  scope.length === 0 ? null : (
    <Section title={title}>
      <TargetList targets={scope} />
    </Section>
  );

function Rules({ record }: { record: Engagement }) {
  const { rulesOfEngagement: rules, intensity, schedule, approvedBy, statusReason } = record;
  return (
    <Section title={words.rules}>
      {rules.notes && <Prose text={rules.notes} />}
      <Facts
        rows={[
          [words.exploitation, rules.allowExploitation ? words.allowed : words.forbidden],
          [words.intensity, engagementForm.intensities[intensity]],
          [words.reference, rules.authorizationReference],
          [words.contacts, rules.emergencyContacts.join(', ')],
          [words.starts, schedule.startAt && timeOf(schedule.startAt)],
          [words.repeats, schedule.recurrence && recurrenceOf(schedule.recurrence)],
          [columns.requested, record.requestedBy.name],
          [words.decided, approvedBy?.name],
          [words.reason, approvedBy?.reason ?? statusReason],
        ]}
      />
    </Section>
  );
}

const Progress = ({ tasks, id }: Pick<Engagement, 'tasks' | 'id'>) => {
  if (!tasks) return null;
  const all = Object.values(tasks).reduce((sum, amount) => sum + amount, 0);
  return (
    <Section title={texts.screens.scannerTasks}>
      <p>{words.progress(tasks.completed, all, tasks.failed)}</p>
      <progress aria-label={texts.screens.scannerTasks} max={Math.max(1, all)} value={tasks.completed} />
      <p>
        <Link href={`/scanner-tasks?engagementId=${id}`}>{words.tasks}</Link>
      </p>
    </Section>
  );
};

export const engagementDetail: Detail<Engagement> = {
  title: texts.screens.engagements,
  path: '/engagements',
  useRecord: question((id) =>
    answerOf(client.GET('/api/v1/validation-operations/engagements/{id}', { params: { path: { id } } })),
  ),
  titleOf: ({ title }) => title,
  Marks: ({ record: { status, kind, dueAt } }) => (
    <>
      <StatusMark status={status} />
      <span class="tag">{words.kinds[kind]}</span>
      {dueAt && <DueMark dueAt={dueAt} />}
    </>
  ),
  Sections: (part) => (
    <>
      <Section title={texts.finding.next}>
        {part.record.description && <Prose text={part.record.description} />}
        <Decision {...part} />
        <EngagementActs {...part} />
      </Section>
      <Scope title={words.targets} scope={part.record.targets} />
      <Scope title={words.exclusions} scope={part.record.exclusions} />
      <Rules record={part.record} />
      <Progress {...part.record} />
      <Runs id={part.record.id} />
      <Notes id={part.record.id} />
    </>
  ),
};
