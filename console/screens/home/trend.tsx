import { columnOf, heightIn } from '#shared/reporting/charts/columns.ts';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Trend } from '../../api/types.ts';
import { dayOf } from '../../parts/format.ts';
import { Failed } from '../../parts/states.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { Card } from './first.tsx';

const useTrend = question(() => answerOf(client.GET('/api/v1/findings/trend')));
const words = texts.home;

const HALF = 44;
const STEP = 20;
const WIDTH = 12;

/** Upward what came, downward what was fixed, a bar a day. */
export function TrendChart() {
  const { data, error, ask } = useTrend('');
  if (!data && error) return <Failed error={error} again={ask} />;
  if (!data) return null;
  const days = data.days.map(({ date, opened, reopened, fixed }) => ({ date, came: opened + reopened, fixed }));
  const came = days.reduce((sum, day) => sum + day.came, 0);
  const fixed = days.reduce((sum, day) => sum + day.fixed, 0);
  return (
    <Card title={words.trend}>
      <p class="legend small">
        <span class="came">
          <i aria-hidden="true" />
          {count(came)} {words.came}
        </span>
        <span class="went">
          <i aria-hidden="true" />
          {count(fixed)} {words.went}
        </span>
      </p>
      <Bars days={days} label={words.trendLabel(came, fixed)} />
    </Card>
  );
}

type Day = Pick<Trend['days'][number], 'date' | 'fixed'> & { came: number };

const Bars = ({ days, label }: { days: readonly Day[]; label: string }) => {
  const height = heightIn(HALF, Math.max(0, ...days.flatMap(({ came, fixed }) => [came, fixed])));
  return (
    <svg
      class="trend"
      viewBox={`0 0 ${days.length * STEP} ${2 * HALF + 2}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {days.map(({ date, came, fixed }, n) => (
        <g key={date} transform={`translate(${n * STEP + (STEP - WIDTH) / 2} 0)`}>
          <title>{`${dayOf(date)}: ${count(came)} ${words.came}, ${count(fixed)} ${words.went}`}</title>
          {columnOf([came], (amount) => HALF - height(amount)).map((bar) => (
            <rect key="came" class="trend-came" y={bar.top} width={WIDTH} height={bar.height} />
          ))}
          {columnOf([fixed], (amount) => HALF + 2 + height(amount)).map((bar) => (
            <rect key="went" class="trend-went" y={bar.top} width={WIDTH} height={bar.height} />
          ))}
        </g>
      ))}
      <line x1="0" x2={days.length * STEP} y1={HALF + 1} y2={HALF + 1} />
    </svg>
  );
};
