import { area, line } from 'd3-shape';
import type { SeriesColour } from '../document.ts';
import { type Drawing, fillMark, strokeMark } from './drawing.ts';

type Room = { width: number; height: number; colour: SeriesColour };

/** A small line without axes, from old to new. Fewer than two values have no course, and draw nothing. */
export function drawSpark(values: readonly number[], { width, height, colour }: Room): Drawing {
  if (values.length < 2) return { width, height, marks: [] };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (n: number) => 1 + (n * (width - 2)) / (values.length - 1);
  const y = (value: number) => (most === least ? height / 2 : 1 + ((most - value) * (height - 2)) / (most - least));
  const course = [...values];
  const below = area<number>((_, n) => x(n), height, y)(course) ?? '';
  const above = line<number>((_, n) => x(n), y)(course) ?? '';
  return { width, height, marks: [fillMark(below, colour, 0.12), strokeMark(above, colour, 1.2)] };
}
