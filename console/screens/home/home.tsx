import { useState } from 'preact/hooks';
import { answerOf, client, Refused } from '../../api/client.ts';
import { askAgain, question } from '../../api/question.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useEvery } from '../../parts/use-every.ts';
import { useLive } from '../../records/use-live.ts';
import { texts } from '../../texts.ts';
import { Broken } from './broken.tsx';
import type { Counted } from './counted.ts';
import { Figures, SeverityBar } from './figures.tsx';
import { askForFirst, DueSoon, Fixes, FixFirst, Riskiest } from './first.tsx';
import { MeanTimes } from './mean-times.tsx';
import { TrendChart } from './trend.tsx';
import { directionOf, verdictOf } from './verdict.ts';
import { Welcome } from './welcome.tsx';

/** The first results come from elsewhere, too. */
const EVERY_MS = 5_000;
const FOLLOWED = ['finding', 'vulnerability'] as const;

const useOverview = question(() =>
  answerOf(client.GET('/api/v1/dashboards/overview/system')).catch((error: unknown): Promise<Counted> => {
    if (error instanceof Refused && error.code === 'insufficient_scope') return countPart();
    throw error;
  }),
);

/** The figures of the records that the person sees. */
async function countPart(): Promise<Counted> {
  const [findings, vulnerabilities] = await Promise.all([
    answerOf(client.GET('/api/v1/dashboards/overview/system/findings')),
    answerOf(client.GET('/api/v1/dashboards/overview/system/vulnerabilities')),
  ]);
  return { findings, vulnerabilities };
}

/** The verdict, the figures, and what comes first. */
export function Home() {
  useState(askForFirst);
  const { data, error, ask } = useOverview('');
  const isNew = data?.findings.total === 0 && data.assets?.total === 0;
  useEvery(isNew ? EVERY_MS : undefined, ask);
  useLive(FOLLOWED, askAgain);
  if (!data)
    return (
      <div class="page home">
        <h1 class="unseen">{texts.screens.home}</h1>
        {error ? <Failed error={error} again={ask} /> : <Loading lines={10} />}
      </div>
    );
  return <div class="page home">{isNew ? <Welcome /> : <Known overview={data} />}</div>;
}

const Known = ({ overview }: { overview: Counted }) => (
  <>
    <header class="verdict">
      <h1>{verdictOf(overview.findings)}</h1>
      <p>{directionOf(overview.findings)}</p>
    </header>
    <Figures overview={overview} />
    <SeverityBar findings={overview.findings} />
    <div class="columns">
      <FixFirst />
      <DueSoon />
      {overview.assets && (
        <>
          <Riskiest />
          <Fixes />
        </>
      )}
      {overview.integrations && <Broken integrations={overview.integrations} />}
      <MeanTimes />
    </div>
    {overview.assets && <TrendChart />}
  </>
);

export const parts = { List: Home, ahead: () => useOverview.ahead('') };
