import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale';
import type { SeriesColour } from '../document.ts';
import { type Look, type Mark, rectMark, strokeMark, textMark } from './drawing.ts';
import { wrap } from './wrap.ts';

const LINE_HEIGHT = 1.3;

type Axes = {
  x: ScaleBand<number>;
  y: ScaleLinear<number, number>;
  /** The lowest point of the drawing. */
  height: number;
  marks: Mark[];
};

/** The grid with its figures and the labels below it, from the least value, which is 0 or less. `top` is the room of the legend. */
export function axes(labels: readonly string[], [least, most]: [number, number], top: number, look: Look): Axes {
  const { size, width } = look;
  // a low chart has fewer lines, so that their figures stay apart
  const steps = Math.max(1, Math.min(4, Math.floor((look.height - top - size * 3) / (size * 1.6))));
  const y = scaleLinear([least, Math.max(1, most)], [look.height, top + size]).nice(steps);
  const ticks = y.ticks(steps).filter((tick) => most - least > 4 || Number.isInteger(tick));
  const left = Math.max(...ticks.map((tick) => look.measure(look.number(tick), size))) + size * 0.8;
  const x = scaleBand([...labels.keys()], [left, width])
    .paddingInner(0.35)
    .paddingOuter(0.18);
  const below = bottomLabels(labels, x, look);
  y.range([look.height - below.height, top + size]);
  const grid = ticks.flatMap((tick): Mark[] => [
    strokeMark(`M${left},${y(tick)}H${width}`, tick === 0 ? 'soft' : 'line', size * 0.08),
    textMark(look.number(tick), left - size * 0.6, y(tick) + size * 0.35, size, { anchor: 'end' }),
  ]);
  return { x, y, height: look.height, marks: [...grid, ...below.marks] };
}

/** Labels below the bands: each n-th one where all of them do not fit, and long ones in lines. */
function bottomLabels(labels: readonly string[], x: ScaleBand<number>, look: Look) {
  const { size } = look;
  const widest = Math.max(0, ...labels.map((label) => look.measure(label, size)));
  const room = Math.min(widest, (look.width - (x.range()[0] ?? 0)) / 4);
  // the last label moves to the left where it would go beyond the edge
  const moved = Math.max(0, (room - x.step()) / 2);
  const each = Math.max(1, Math.ceil((room + moved + size) / x.step()));
  const most = Math.max(each === 1 ? x.step() - size * 0.5 : room, size * 2);
  const shown = labels.flatMap((label, n) => {
    const fromEnd = labels.length - 1 - n;
    if (fromEnd % each !== 0) return [];
    const lines = wrap(label, most, (text) => look.measure(text, size));
    return [{ middle: (x(n) ?? 0) + x.bandwidth() / 2, lines }];
  });
  const rows = Math.max(1, ...shown.map(({ lines }) => lines.length));
  const height = size * (0.6 + LINE_HEIGHT * rows);
  const marks = shown.flatMap(({ middle, lines }) =>
    lines.map((line, n) => {
      const half = look.measure(line, size) / 2;
      const center = Math.min(Math.max(middle, half), look.width - half);
      const y = look.height - height + size * (1.45 + LINE_HEIGHT * n);
      return textMark(line, center, y, size, { anchor: 'middle' });
    }),
  );
  return { marks, height };
}

type Key = { label: string; colour: SeriesColour; isLine?: boolean; value?: string };

/** Which colour is which series, in as many rows as that needs. */
export function legend(keys: readonly Key[], look: Look, top = 0): { marks: Mark[]; height: number } {
  const { size, width } = look;
  const swatch = size * 0.85;
  const marks: Mark[] = [];
  let [x, row] = [0, 0];
  for (const { label, colour, isLine, value } of keys) {
    const text = value ? `${label}  ${value}` : label;
    const lines = wrap(text, width - swatch * 1.6, (part) => look.measure(part, size));
    const own = swatch * 1.6 + Math.max(...lines.map((line) => look.measure(line, size)));
    if (x > 0 && x + own > width) [x, row] = [0, row + 1];
    const y = top + row * size * 1.7;
    marks.push(
      isLine
        ? strokeMark(`M${x},${y + size * 0.55}h${swatch}`, colour, size * 0.25)
        : rectMark(x, y + size * 0.12, swatch, swatch, colour),
      ...lines.map((line, n) =>
        textMark(line, x + swatch * 1.6, y + size * (0.9 + LINE_HEIGHT * n), size, { ink: 'ink' }),
      ),
    );
    x += own + size * 1.6;
    row += (lines.length - 1) * 0.77;
  }
  return { marks, height: keys.length === 0 ? 0 : (row + 1) * size * 1.7 };
}
