import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { dayOf } from '../../parts/format.ts';
import { Plot } from '../../parts/plot.tsx';
import { Failed } from '../../parts/states.tsx';
import { count } from '../../texts/amounts.ts';
import { texts } from '../../texts.ts';
import { Card } from './first.tsx';

const useTrend = question(() => answerOf(client.GET('/api/v1/findings/trend')));
const words = texts.home;

/** Upward what came, downward what was fixed, a column a day. */
export function TrendChart() {
  const { data, error, ask } = useTrend('');
  if (!data && error) return <Failed error={error} again={ask} />;
  if (!data) return null;
  const days = data.days.map(({ date, opened, reopened, fixed }) => ({
    day: dayOf(date),
    came: opened + reopened,
    fixed,
  }));
  const came = days.reduce((sum, day) => sum + day.came, 0);
  const fixed = days.reduce((sum, day) => sum + day.fixed, 0);
  const saysOf = (amounts: { came: number; fixed: number }) => ({
    came: `${count(amounts.came)} ${words.came}`,
    went: `${count(amounts.fixed)} ${words.went}`,
  });
  const all = saysOf({ came, fixed });
  return (
    <Card title={words.trend}>
      <Plot
        label={words.trendLabel(came, fixed)}
        height={190}
        chart={{
          chart: 'stacked-bars',
          labels: days.map(({ day }) => day),
          series: [
            { label: all.came, colour: 'high', values: days.map((day) => day.came) },
            { label: all.went, colour: 'good', values: days.map((day) => -day.fixed) },
          ],
          lines: [],
        }}
        columns={days.map((day) => ({ title: `${day.day}: ${Object.values(saysOf(day)).join(', ')}` }))}
      />
    </Card>
  );
}
