import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { CountList } from '../../parts/count-list.tsx';
import { SEVERITIES } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { team as words } from '../../texts/teams.ts';
import { texts } from '../../texts.ts';

const useSummary = question((id) => answerOf(client.GET('/api/v1/teams/{id}/summary', { params: { path: { id } } })));

/** The figures of a team and its members; each opens the list that the service counted. */
export function Work({ id }: { id: string }) {
  const { data, error, ask } = useSummary(id);
  const lists = data?.links.list ?? {};
  return (
    <Section title={words.work}>
      {error && !data && <Failed error={error} again={ask} />}
      {!error && !data && <Loading lines={3} />}
      {data && (
        <CountList
          rows={[
            ...SEVERITIES.map((severity) => ({
              label: `${words.open}: ${texts.severities[severity]}`,
              amount: data.openFindings[severity],
              list: lists[`openFindings.${severity}`],
            })),
            { label: words.overdue, amount: data.overdue, list: lists.overdue },
            { label: words.assets, amount: data.assets, list: lists.assets },
            { label: words.applications, amount: data.applications, list: lists.applications },
          ]}
        />
      )}
    </Section>
  );
}
