import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { SeverityMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';

const words = texts.branch;
const failOn = 'high';

const useGate = question(async (taskId) =>
  taskId === ''
    ? undefined
    : answerOf(
        client.GET('/api/v1/findings/import/{taskId}/gate', { params: { path: { taskId }, query: { failOn } } }),
      ),
);

/** Whether the last scan of a branch would stop a merge, and which findings do. */
export function Gate({ taskId = '' }: { taskId: string | undefined }) {
  const { data, error, ask } = useGate(taskId);
  return (
    <Section title={words.gate}>
      {taskId === '' && <p class="soft">{words.noScan}</p>}
      {error && !data && <Failed error={error} again={ask} />}
      {taskId !== '' && !error && !data && <Loading lines={3} />}
      {data && (
        <>
          <p>
            <strong class={data.passed ? '' : 'overdue'}>{data.passed ? words.passed : words.stopped}.</strong>{' '}
            <span class="soft">{words.gateLead}</span>
          </p>
          {data.reasons.length > 0 && (
            <ul class="bullets">
              {data.reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
          {data.baseRef && (
            <p class="soft">
              {words.against} {data.baseRef}
            </p>
          )}
          <ul class="related">
            {data.findings.map(({ id, title, severity }) => (
              <li key={id}>
                <Link href={`/findings/${id}`}>{title}</Link>
                <SeverityMark severity={severity} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
