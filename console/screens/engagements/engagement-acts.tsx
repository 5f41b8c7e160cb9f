import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Engagement } from '../../api/types.ts';
import { changesOf, initialOf } from '../../forms/field.ts';
import { act } from '../../parts/act.ts';
import { OneText } from '../../parts/form.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { StatusMark } from '../../parts/marks.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Related } from '../../parts/related.tsx';
import type { PartProps } from '../../records/detail.tsx';
import { RecordActs } from '../../records/record-acts.tsx';
import { engagementForm } from '../../texts/engagement-form.ts';
import { texts } from '../../texts.ts';
import { bodyOf, fieldsOf, previewWith, useOffer } from './engagement-form.tsx';

const words = texts.engagement;
const base = '/api/v1/validation-operations/engagements/{id}';
const FIRST = 8;

/** The service says which of the actions the status allows. */
export function EngagementActs({ record, put, changed }: PartProps<Engagement>) {
  const { data: offer } = useOffer('');
  const { id, version, title, status, taskTypes } = record;
  const at = { params: { path: { id } } };
  const isOver = ['completed', 'cancelled', 'rejected', 'failed'].includes(status);
  if (isOver || !offer) return null;
  const after = async (answer: Promise<Engagement>) => {
    put(await answer);
    changed();
  };
  const fields = fieldsOf(offer, record);
  const before = bodyOf(initialOf(fields), offer, record);
  const isOfPeople = taskTypes.length === 0;
  return (
    <RecordActs
      name={title}
      words={engagementForm}
      fields={fields}
      preview={previewWith(offer)}
      save={(values) =>
        after(
          answerOf(
            client.PATCH(base, {
              ...at,
              headers: { 'if-match': `"${version}"` },
              body: changesOf(bodyOf(values, offer, record), before),
            }),
          ),
        )
      }
    >
      {isOfPeople && (status === 'approved' || status === 'scheduled') && (
        <Act label={words.start} done={words.started} run={() => after(answerOf(client.POST(`${base}/start`, at)))} />
      )}
      {isOfPeople && status === 'running' && (
        <Act
          label={words.complete}
          done={words.completed}
          run={() => after(answerOf(client.POST(`${base}/complete`, at)))}
        />
      )}
      {!isOfPeople && status === 'scheduled' && (
        <Act label={words.run} done={words.queued} run={() => answerOf(client.POST(`${base}/run`, at))} />
      )}
      <Act
        label={words.cancel}
        sure={words.sureCancel}
        done={words.cancelled}
        run={() => after(answerOf(client.POST(`${base}/cancel`, { ...at, body: {} })))}
      />
    </RecordActs>
  );
}

const useRuns = question((id) =>
  answerOf(client.GET(`${base}/runs`, { params: { path: { id }, query: { paginateSize: FIRST } } })),
);
const useNotes = question((id) =>
  answerOf(client.GET(`${base}/notes`, { params: { path: { id }, query: { paginateSize: FIRST } } })),
);

export const Runs = ({ id }: { id: string }) => (
  <Related title={words.runs} asked={useRuns(id)} none={words.noRuns}>
    {({ number, status, startedAt, tasks }) => (
      <>
        <span>
          {words.runOf(number)} <StatusMark status={status} />
        </span>
        <span class="soft small">
          {words.ranTasks(tasks.completed, tasks.failed)}
          {startedAt && `, ${agoOf(startedAt)}`}
        </span>
      </>
    )}
  </Related>
);

export const Notes = ({ id }: { id: string }) => (
  <>
    <Related title={words.notes} asked={useNotes(id)} none={words.noNotes}>
      {({ text, createdBy, createdAt }) => (
        <div class="comment">
          <span class="soft small">{texts.finding.by(createdBy.name, agoOf(createdAt))}</span>
          <Prose text={text} />
        </div>
      )}
    </Related>
    <OneText
      label={words.note}
      submit={words.addNote}
      send={(text) =>
        act(client.POST(`${base}/notes`, { params: { path: { id } }, body: { text } }), { done: words.noted })
      }
    />
    <p>
      <Link href={`/findings?engagementId=${id}`}>{words.findings}</Link>
    </p>
  </>
);
