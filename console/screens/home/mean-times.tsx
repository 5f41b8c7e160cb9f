import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { percentOf } from '../../parts/format.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import type { RecordOf } from '../../records/record-of.ts';
import { pageOf } from '../../shell/links.ts';
import { home } from '../../texts/home.ts';
import { Card } from './first.tsx';

const words = home.meanTimes;
const KINDS = ['findings', 'vulnerabilities', 'alerts', 'incidents'] as const;

type Metrics = RecordOf<'MeanTimeMetrics'>;

const useMeanTimes = question(() => answerOf(client.GET('/api/v1/dashboards/meantime')));

/** The time to acknowledge, and the open records with their list. */
const Rest = ({ timeToAcknowledge, openAge, links }: Metrics) => (
  <>
    {timeToAcknowledge && words.acknowledged(words.time(timeToAcknowledge.meanSeconds))}
    {timeToAcknowledge && openAge && ', '}
    {openAge && (
      <>
        <Link href={pageOf(links.list['openAge.count']) ?? '/'}>{words.open(openAge.count)}</Link>{' '}
        {words.openFor(words.time(openAge.meanSeconds))}
      </>
    )}
  </>
);

/** A shorter time is better. */
const Change = ({ change: { d30 } }: Metrics) => {
  if (d30 === null || d30 === 0) return null;
  return d30 > 0 ? (
    <span class="overdue small">{words.slower(percentOf(d30))}</span>
  ) : (
    <span class="soft small">{words.faster(percentOf(-d30))}</span>
  );
};

/** How long work takes; kinds of which nothing was done and nothing is open are left out, and the card where the role does not open it. */
export function MeanTimes() {
  const { data, error, ask } = useMeanTimes('');
  if (error?.code === 'insufficient_scope') return null;
  const rows = KINDS.flatMap((kind) => {
    const metrics = data?.[kind];
    const isKnown = metrics && (metrics.timeToRemediate || metrics.timeToAcknowledge || metrics.openAge);
    return isKnown ? [{ kind, metrics }] : [];
  });
  return (
    <Card title={words.title}>
      {error && !data && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={2} />}
      {data && rows.length === 0 && <p class="soft">{words.none}</p>}
      <ul class="lines">
        {rows.map(({ kind, metrics }) => (
          <li key={kind} class="line">
            <span class="line-main">
              <span class="cut strong">{words.kinds[kind]}</span>
              <span class="cut soft small">
                <Rest {...metrics} />
              </span>
            </span>
            <span class="line-end">
              {metrics.timeToRemediate && <b>{words.resolved(words.time(metrics.timeToRemediate.meanSeconds))}</b>}
              <Change {...metrics} />
            </span>
          </li>
        ))}
      </ul>
      {rows.length > 0 && <p class="soft small">{words.lead}</p>}
    </Card>
  );
}
