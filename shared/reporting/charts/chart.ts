import { curveMonotoneX, line } from 'd3-shape';
import type { Chart, Series } from '../document.ts';
import { axes, legend } from './axes.ts';
import { bars, share } from './bars.ts';
import { type Drawing, type Look, type Mark, rectMark, strokeMark, textMark } from './drawing.ts';

/** A chart as a drawing. A chart without values is a word. */
export function drawChart(chart: Chart, look: Look): Drawing {
  if (isEmpty(chart)) return emptyChart(look);
  switch (chart.chart) {
    case 'stacked-bars':
      return stackedBars(chart, look);
    case 'lines':
      return lines(chart, look);
    case 'bars':
      return bars(chart, look);
    case 'share':
      return share(chart.parts, look);
  }
}

function isEmpty(chart: Chart): boolean {
  if (chart.chart === 'share') return chart.parts.every(({ value }) => value <= 0);
  if (chart.chart === 'bars') return chart.values.length === 0;
  const all = chart.chart === 'lines' ? chart.series : [...chart.series, ...chart.lines];
  return all.every(({ values }) => values.every((value) => value === null));
}

function emptyChart({ width, size, empty }: Look): Drawing {
  const height = size * 5;
  const frame = strokeMark(`M0,0H${width}V${height}H0Z`, 'line', size * 0.08, size * 0.3);
  const word = textMark(empty, width / 2, height / 2 + size * 0.35, size, { anchor: 'middle' });
  return { width, height, marks: [frame, word] };
}

type Bars = Extract<Chart, { chart: 'stacked-bars' }>;

function stackedBars({ labels, series, lines: over }: Bars, look: Look): Drawing {
  const keys = [...series, ...over.map((one) => ({ ...one, isLine: true }))];
  const head = legend(keys, look);
  const columns = labels.map((_, n) => series.map(({ values }) => values[n] ?? null));
  const sums = (part: (value: number) => number) =>
    columns.map((values) => values.reduce<number>((sum, value) => sum + part(value ?? 0), 0));
  const least = Math.min(0, ...sums((value) => Math.min(0, value)));
  const most = Math.max(mostOf(over), ...sums((value) => Math.max(0, value)));
  const { x, y, height, marks } = axes(labels, [least, most], head.height, look);
  const at = (n: number) => x(n) ?? 0;
  const drawn = columns.flatMap((values, n) => {
    if (values.every((value) => value === null) && series.length > 0)
      return unknown(at(n) + x.bandwidth() / 2, y(0), look);
    return columnOf(values, y, look).map(({ top, height: own }, m) =>
      rectMark(at(n), top, x.bandwidth(), own, series[m]?.colour ?? 'neutral'),
    );
  });
  const above = courses(over, (n) => at(n) + x.bandwidth() / 2, y, look);
  const gap = x.step() - x.bandwidth();
  const places = columns.map((_, n) => ({ x: at(n) - gap / 2, width: x.step() }));
  return { width: look.width, height, marks: [...head.marks, ...marks, ...drawn, ...above], places };
}

/** The parts of a column that stand on each other: upward those above 0, downward those below. A part is never too small to be seen. */
function columnOf(values: readonly (number | null)[], y: (value: number) => number, { size }: Look) {
  const sums = { up: 0, down: 0 };
  return values.map((known) => {
    const value = known ?? 0;
    const side = value < 0 ? 'down' : 'up';
    const from = y(sums[side]);
    sums[side] += value;
    const height = value === 0 ? 0 : Math.max(Math.abs(from - y(sums[side])), size * 0.12);
    return { top: value < 0 ? from : from - height, height };
  });
}

function lines({ labels, series }: Extract<Chart, { chart: 'lines' }>, look: Look): Drawing {
  const head = legend(
    series.map((one) => ({ ...one, isLine: true })),
    look,
  );
  const { x, y, height, marks } = axes(labels, [0, mostOf(series)], head.height, look);
  const drawn = courses(series, (n) => (x(n) ?? 0) + x.bandwidth() / 2, y, look);
  return { width: look.width, height, marks: [...head.marks, ...marks, ...drawn] };
}

const mostOf = (series: readonly Series[]) => Math.max(0, ...series.flatMap(({ values }) => values.map((v) => v ?? 0)));

/**
 * Lines with a seam that keeps them apart from bars of any colour. Each has a point at its end, and one at each value whose neighbours are
 * not known.
 */
function courses(
  series: readonly Series[],
  x: (n: number) => number,
  y: (value: number) => number,
  { size }: Look,
): Mark[] {
  const draw = line<number | null>(
    (_, n) => x(n),
    (value) => y(value ?? 0),
  )
    .defined((value) => value !== null)
    .curve(curveMonotoneX);
  const paths = series.map(({ values, colour }) => {
    const last = values.findLastIndex((value) => value !== null);
    const points = values.flatMap((value, n) => {
      const isAlone = (values[n - 1] ?? null) === null && (values[n + 1] ?? null) === null;
      return value !== null && (n === last || isAlone) ? [dot(x(n), y(value), size * 0.3)] : [];
    });
    return { d: [draw(values) ?? '', ...points].join(''), colour };
  });
  return [
    ...paths.map(({ d }) => strokeMark(d, 'ground', size * 0.5)),
    ...paths.map(({ d, colour }) => strokeMark(d, colour, size * 0.22)),
  ];
}

const dot = (x: number, y: number, radius: number): string =>
  `M${x - radius / 2},${y}a${radius / 2},${radius / 2} 0 1 0 ${radius},0a${radius / 2},${radius / 2} 0 1 0 ${-radius},0`;

const unknown = (x: number, y: number, { size }: Look): Mark[] => [
  textMark('?', x, y - size * 0.4, size, { anchor: 'middle' }),
];
