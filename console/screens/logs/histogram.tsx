import { columnOf, heightIn } from '#shared/reporting/charts/columns.ts';
import type { EventsFound } from '../../api/types.ts';
import { timeOf } from '../../parts/format.ts';
import { logs } from '../../texts/logs.ts';

const MOST_BARS = 96;
const HEIGHT = 64;
const STEP = 10;
const WIDTH = 8;

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
  const height = heightIn(HEIGHT, Math.max(0, ...bars.map(({ count }) => count)), 2);
  return (
    <figure class="histogram">
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT + 1}`}
        role="img"
        aria-label={logs.histogram(total, timeOf(from), timeOf(to))}
        preserveAspectRatio="none"
      >
        {bars.map((bar, n) => (
          <g
            key={bar.from}
            transform={`translate(${n * STEP} 0)`}
            onClick={() => choose({ from: new Date(bar.from).toISOString(), to: new Date(bar.to).toISOString() })}
          >
            <title>{logs.bar(bar.count, timeOf(new Date(bar.from).toISOString()))}</title>
            <rect class="histogram-place" width={STEP} height={HEIGHT} />
            {columnOf([bar.count], (count) => HEIGHT - height(count)).map((column) => (
              <rect key={bar.from} class="histogram-bar" x={1} y={column.top} width={WIDTH} height={column.height} />
            ))}
          </g>
        ))}
        <line x1="0" x2={bars.length * STEP} y1={HEIGHT + 0.5} y2={HEIGHT + 0.5} />
      </svg>
      <figcaption class="soft small">
        <span>{timeOf(from)}</span>
        <span class="histogram-hint">{logs.zoom}</span>
        <span>{timeOf(to)}</span>
      </figcaption>
    </figure>
  );
}
