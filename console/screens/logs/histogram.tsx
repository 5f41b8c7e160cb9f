import type { EventsFound } from '../../api/types.ts';
import { minuteOf, shortDayOf, timeOf } from '../../parts/format.ts';
import { Plot } from '../../parts/plot.tsx';
import { logs } from '../../texts/logs.ts';

const MOST_BARS = 96;
const DAY_MS = 86_400_000;

type Bar = { from: number; to: number; count: number };
type Buckets = readonly EventsFound['histogram']['buckets'][number][];
type Times = Pick<EventsFound, 'from' | 'to'> & { intervalSeconds: number };

/** Bars of equal length over the whole time, with the empty ones. */
function barsOf(buckets: Buckets, { from, to, intervalSeconds }: Times): Bar[] {
  const interval = intervalSeconds * 1_000;
  const start = Math.floor(Date.parse(from) / interval) * interval;
  const end = Math.max(start + interval, Date.parse(to));
  const length = Math.ceil((end - start) / interval / MOST_BARS) * interval;
  const bars = Array.from({ length: Math.ceil((end - start) / length) }, (_, n) => ({
    from: start + n * length,
    to: start + (n + 1) * length,
    count: 0,
  }));
  for (const { at, count } of buckets) {
    const bar = bars[Math.floor((Date.parse(at) - start) / length)];
    if (bar) bar.count += count;
  }
  return bars;
}

type HistogramProps = {
  buckets: Buckets;
  found: EventsFound;
  total: number;
  choose: (times: { from: string; to: string }) => void;
};

/** The number of events by time. A bar that is clicked becomes the time of the search; the fields of times do it by the keyboard. */
export function Histogram({ buckets, found, total, choose }: HistogramProps) {
  const { from, to, histogram } = found;
  const bars = barsOf(buckets, { from, to, intervalSeconds: histogram.intervalSeconds });
  const isOneDay = Date.parse(to) - Date.parse(from) <= DAY_MS;
  const labelOf = (at: number) => (isOneDay ? minuteOf(at) : `${shortDayOf(at)}\n${minuteOf(at)}`);
  const timesOf = (bar: Bar) => ({ from: new Date(bar.from).toISOString(), to: new Date(bar.to).toISOString() });
  return (
    <div class="histogram">
      <Plot
        label={logs.histogram(total, timeOf(from), timeOf(to))}
        height={150}
        chart={{
          chart: 'stacked-bars',
          labels: bars.map((bar) => labelOf(bar.from)),
          series: [{ label: logs.zoom, colour: 'brand', values: bars.map(({ count }) => count) }],
          lines: [],
        }}
        columns={bars.map((bar) => ({
          title: logs.bar(bar.count, timeOf(timesOf(bar).from)),
          choose: () => choose(timesOf(bar)),
        }))}
      />
    </div>
  );
}
