import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { pageOf } from '../../shell/links.ts';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { OpenCounts } from '../assets/open-counts.tsx';

const words = texts.application;

const useRisk = question((id) =>
  answerOf(client.GET('/api/v1/software/applications/{id}/risk-summary', { params: { path: { id } } })),
);

/** The grade of an application; each figure opens the list that the service counted. */
export function Risk({ id }: { id: string }) {
  const { data, error, ask } = useRisk(id);
  const figures = data && [
    { name: 'overdue', label: words.overdue, amount: data.overdue },
    { name: 'kevOpen', label: words.kev, amount: data.kevOpen },
  ];
  return (
    <Section title={words.risk}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={3} />}
      {data && <p class="strong">{words.grade(data.grade, data.score)}</p>}
      {data && Object.values(data.openFindings).some(Boolean) && (
        <OpenCounts counts={data.openFindings} lists={data.links.list} />
      )}
      {figures?.map(({ name, label, amount }) => {
        const list = pageOf(data?.links.list[name]);
        return (
          <p key={name}>
            {label}: {list ? <Link href={list}>{count(amount)}</Link> : count(amount)}
          </p>
        );
      })}
    </Section>
  );
}
