import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Alert } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { PersonChoice } from '../../parts/assignee.tsx';
import { Comments } from '../../parts/comments.tsx';
import { Facts, Tags } from '../../parts/facts.tsx';
import { timeOf } from '../../parts/format.ts';
import { SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Moves } from '../../parts/moves.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed } from '../../parts/states.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import type { Detail, PartProps } from '../../records/detail.tsx';
import { nameOf } from '../../texts/names.ts';
import { texts } from '../../texts.ts';
import { AddException } from '../detections/add-exception.tsx';
import { AlertDeliveries } from './alert-deliveries.tsx';
import { AroundAlert, EventsOfAlert } from './events-of-alert.tsx';

export const ALERT_STATUSES = ['new', 'acknowledged', 'in_progress', 'resolved', 'false_positive'] as const;

const words = texts.alert;

type Wanted = { status?: Alert['status']; assigneeId?: string | null };

/** Writes with the version that the person saw. */
const change = ({ record: { id, version }, put, changed }: PartProps<Alert>, body: Wanted) =>
  act(
    client.PATCH('/api/v1/soc/alerts/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
    {
      done: words.changed,
      put,
      changed,
    },
  );

/** An alert: what happened, to whom it matters, who works on it, and its timeline. */
export const alertDetail: Detail<Alert> = {
  title: texts.screens.alerts,
  path: '/alerts',
  useRecord: question((id) => answerOf(client.GET('/api/v1/soc/alerts/{id}', { params: { path: { id } } }))),
  titleOf: ({ title }) => title,
  Marks: ({ record: { severity, status } }) => (
    <>
      <SeverityMark severity={severity} />
      <StatusMark status={status} />
    </>
  ),
  Sections: (part) => (
    <>
      <Section title={texts.finding.next}>
        <Moves
          statuses={ALERT_STATUSES}
          current={part.record.status}
          move={(status) => void change(part, { status })}
        />
      </Section>
      <Section title={texts.finding.wrong}>
        <Prose text={part.record.description ?? words.noDescription} />
        <Tags tags={part.record.attackTechniques} />
      </Section>
      <Section title={texts.finding.who}>
        <PersonChoice
          label={words.assignee}
          id={part.record.assigneeId}
          choose={(assigneeId) => void change(part, { assigneeId })}
        />
        <IncidentOf {...part} />
      </Section>
      <Evidence record={part.record} />
      {part.record.source.kind === 'siem' && part.record.source.ruleId && <EventsOfAlert id={part.record.id} />}
      <Around record={part.record} />
      <AlertDeliveries id={part.record.id} />
      <Entries {...part} />
    </>
  ),
};

const IncidentOf = ({ record: { id, incidentId, title, severity }, changed }: PartProps<Alert>) => {
  if (incidentId !== null) return <Link href={`/incidents/${incidentId}`}>{words.incident}</Link>;
  const begin = () => {
    const body = { title, severity, alertIds: [id] };
    void act(client.POST('/api/v1/soc/incidents', { body }), { done: words.begun, changed });
  };
  return (
    <p>
      <button type="button" class="button" onClick={begin}>
        {words.begin}
      </button>
    </p>
  );
};

/** Other events of the host, or of the person where no host is known. */
function Around({ record: { entities, firstEventAt } }: { record: Alert }) {
  for (const of of ['host', 'user'] as const) {
    const entity = entities.find(({ type }) => type === of);
    if (entity) return <AroundAlert of={of} value={entity.value} firstEventAt={firstEventAt} />;
  }
  return null;
}

const Evidence = ({ record }: { record: Alert }) => (
  <Section title={texts.finding.evidence}>
    <Facts
      rows={[
        [words.columns.source, words.sources[record.source.kind]],
        [words.rule, record.source.ruleName ?? record.source.ruleId],
        [words.events, record.eventCount],
        [words.first, timeOf(record.firstEventAt)],
        [words.columns.last, timeOf(record.lastEventAt)],
        [words.reopened, record.reopenedCount > 0 && texts.times(record.reopenedCount)],
        [words.resolution, record.resolution],
      ]}
    />
    <ul class="related">
      {record.entities.map(({ type, value, assetId }) => (
        <li key={type + value}>
          {assetId ? <Link href={`/assets/${assetId}`}>{value}</Link> : <span>{value}</span>}
          <span class="soft">{nameOf(type)}</span>
        </li>
      ))}
    </ul>
    <Exception record={record} />
  </Section>
);

/** The fields of events by which rules know an entity. */
const FIELDS: Partial<Record<Alert['entities'][number]['type'], string>> = { host: 'host', user: 'user', ip: 'src_ip' };

/** An alert that is no attack becomes an exception of its rule. */
function Exception({ record: { source, entities } }: { record: Alert }) {
  if (source.kind !== 'siem' || !source.ruleId) return null;
  const [known] = entities.flatMap(({ type, value }) => (FIELDS[type] ? [{ field: FIELDS[type], value }] : []));
  return (
    <p class="actions">
      <AddException ruleId={source.ruleId} initial={known ?? { field: 'host', value: '' }} />
      <Link class="button" href={`/detections/${source.ruleId}`}>
        {words.showRule}
      </Link>
    </p>
  );
}

const useTimeline = question((id) =>
  answerOf(client.GET('/api/v1/soc/alerts/{id}/timeline', { params: { path: { id } } })),
);

const useComments = question((id) =>
  answerOf(client.GET('/api/v1/soc/alerts/{id}/comments', { params: { path: { id }, query: { paginateSize: 50 } } })),
);

function Entries({ record: { id } }: PartProps<Alert>) {
  const { data: entries, error, ask: again } = useTimeline(id);
  const { data: comments, ask } = useComments(id);
  const send = (text: string) =>
    act(client.POST('/api/v1/soc/alerts/{id}/comments', { params: { path: { id } }, body: { text } }), {
      done: texts.finding.page.commented,
      changed: ask,
    });
  return (
    <>
      <Comments comments={comments?.data} send={send} />
      {error && !entries ? <Failed error={error} again={again} /> : <Timeline entries={entries} />}
    </>
  );
}
