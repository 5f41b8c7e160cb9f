import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Incident } from '../../api/types.ts';
import { act } from '../../parts/act.ts';
import { PersonChoice } from '../../parts/assignee.tsx';
import { Facts } from '../../parts/facts.tsx';
import { OneText } from '../../parts/form.tsx';
import { timeOf } from '../../parts/format.ts';
import { SeverityMark, StatusMark } from '../../parts/marks.tsx';
import { Moves } from '../../parts/moves.tsx';
import { Prose } from '../../parts/prose.tsx';
import { Related } from '../../parts/related.tsx';
import { Section } from '../../parts/section.tsx';
import { Timeline } from '../../parts/timeline.tsx';
import type { Detail, PartProps } from '../../records/detail.tsx';
import { texts } from '../../texts.ts';
import { ResponseActions } from './response-actions.tsx';

export const INCIDENT_STATUSES = ['open', 'investigating', 'contained', 'eradicated', 'recovered', 'closed'] as const;

const words = texts.incident;
const MAX_SHOWN = 50;

type Wanted = { status?: Incident['status']; assigneeId?: string | null };

/** Writes with the version that the person saw. */
const change = ({ record: { id, version }, put, changed }: PartProps<Incident>, body: Wanted) =>
  act(
    client.PATCH('/api/v1/soc/incidents/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
    { done: words.changed, put, changed },
  );

/** An incident: its state and people, its alerts, the response, and its timeline. */
export const incidentDetail: Detail<Incident> = {
  title: texts.screens.incidents,
  path: '/incidents',
  useRecord: question((id) => answerOf(client.GET('/api/v1/soc/incidents/{id}', { params: { path: { id } } }))),
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
          statuses={INCIDENT_STATUSES}
          current={part.record.status}
          move={(status) => void change(part, { status })}
        />
      </Section>
      <Section title={texts.finding.wrong}>
        <Prose text={part.record.summary ?? part.record.description ?? words.noDescription} />
      </Section>
      <Section title={texts.finding.who}>
        <PersonChoice
          label={words.columns.assignee}
          id={part.record.assigneeId}
          choose={(assigneeId) => void change(part, { assigneeId })}
        />
      </Section>
      <ResponseActions id={part.record.id} />
      <Entries {...part} />
    </>
  ),
  Side: ({ record }) => (
    <>
      <Section title={words.times}>
        <Facts
          rows={[
            [words.columns.detected, record.detectedAt && timeOf(record.detectedAt)],
            [texts.statuses.acknowledged, record.acknowledgedAt && timeOf(record.acknowledgedAt)],
            [texts.statuses.contained, record.containedAt && timeOf(record.containedAt)],
            [texts.statuses.closed, record.closedAt && timeOf(record.closedAt)],
            [words.lessons, record.lessons],
          ]}
        />
      </Section>
      <AlertsOf id={record.id} />
    </>
  ),
};

const useAlerts = question((incidentId) =>
  answerOf(client.GET('/api/v1/soc/alerts', { params: { query: { incidentId, paginateSize: MAX_SHOWN } } })),
);

const AlertsOf = ({ id }: { id: string }) => (
  <Related title={words.columns.alerts} asked={useAlerts(id)} none={words.noAlerts} all={`/alerts?incidentId=${id}`}>
    {(alert) => (
      <>
        <Link href={`/alerts/${alert.id}`}>{alert.title}</Link>
        <StatusMark status={alert.status} />
      </>
    )}
  </Related>
);

const useTimeline = question((id) =>
  answerOf(client.GET('/api/v1/soc/incidents/{id}/timeline', { params: { path: { id } } })),
);

function Entries({ record: { id } }: PartProps<Incident>) {
  const { data, ask } = useTimeline(id);
  const send = (text: string) =>
    act(client.POST('/api/v1/soc/incidents/{id}/timeline', { params: { path: { id } }, body: { text } }), {
      done: words.noted,
      changed: ask,
    });
  return (
    <>
      <Timeline entries={data} />
      <OneText label={words.note} submit={words.addNote} send={send} />
    </>
  );
}
