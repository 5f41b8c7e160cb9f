import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { SEVERITIES, SeverityMark } from '../../parts/marks.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { texts } from '../../texts.ts';
import { FailOn, GateSetUp } from './gate-set-up.tsx';

const words = texts.branch;

const useGate = question(async (about: string) => {
  const [taskId = '', wanted] = about.split(' ');
  const failOn = SEVERITIES.find((one) => one === wanted) ?? 'high';
  if (taskId === '') return undefined;
  const params = { path: { taskId }, query: { failOn } };
  return answerOf(client.GET('/api/v1/findings/import/{taskId}/gate', { params }));
});

type GateProps = { taskId: string | undefined; repository: string; branch: string };

/** Whether the last scan of a branch would stop a merge, and which findings do. */
export function Gate({ taskId = '', repository, branch }: GateProps) {
  const failOn = useSignal<(typeof SEVERITIES)[number]>('high');
  const { data, error, ask } = useGate(`${taskId} ${failOn.value}`);
  return (
    <Section title={words.gate}>
      {taskId !== '' && <FailOn failOn={failOn} />}
      {taskId === '' && <p class="soft">{words.noScan}</p>}
      {error && !data && <Failed error={error} again={ask} />}
      {taskId !== '' && !error && !data && <Loading lines={3} />}
      {data && (
        <>
          <p>
            <strong class={data.passed ? '' : 'overdue'}>{data.passed ? words.passed : words.stopped}.</strong>{' '}
            <span class="soft">{words.gateLead(texts.severities[failOn.value])}</span>
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
      <GateSetUp repository={repository} branch={branch} failOn={failOn.value} />
    </Section>
  );
}
