import { scaleLinear } from 'd3-scale';
import type { Chart } from '../document.ts';
import { legend } from './axes.ts';
import { type Drawing, type Look, type Mark, rectMark, textMark } from './drawing.ts';
import { wrap } from './wrap.ts';

/** A bar per label from the left, with its value. Long labels take lines. */
export function bars({ labels, values, links }: Extract<Chart, { chart: 'bars' }>, look: Look): Drawing {
  const { size, width } = look;
  const measure = (text: string) => look.measure(text, size);
  const left = Math.min(Math.max(...labels.map(measure)), width * 0.4) + size;
  const right = Math.max(...values.map((value) => measure(look.number(value)))) + size * 0.6;
  const x = scaleLinear([0, Math.max(1, ...values)], [0, Math.max(size, width - left - right)]);
  const marks: Mark[] = [];
  let top = 0;
  for (const [n, label] of labels.entries()) {
    const value = values[n] ?? 0;
    const lines = wrap(label, left - size, measure);
    const height = size * Math.max(2, 1.3 * lines.length + 0.7);
    const middle = top + height / 2;
    const first = middle + size * (0.35 - 0.65 * (lines.length - 1));
    marks.push(
      ...lines.map((line, m) =>
        textMark(line, 0, first + m * size * 1.3, size, { ink: 'ink', link: links[n] ?? null }),
      ),
      rectMark(left, middle - size * 0.55, Math.max(x(value), size * 0.12), size * 1.1, 'brand'),
      textMark(look.number(value), left + x(value) + size * 0.5, middle + size * 0.35, size, {
        ink: 'ink',
        strong: true,
      }),
    );
    top += height;
  }
  return { width, height: top, marks };
}

type Parts = Extract<Chart, { chart: 'share' }>['parts'];

const totalOf = (parts: Parts): number => parts.reduce((sum, { value }) => sum + Math.max(0, value), 0);

/** One bar of all: a mark for each part of it that is above 0. */
export function shareBar(parts: Parts, { width, height, size }: Pick<Look, 'width' | 'height' | 'size'>): Mark[] {
  const x = scaleLinear([0, totalOf(parts)], [0, width]);
  let sum = 0;
  return parts.flatMap(({ value, colour }) => {
    if (value <= 0) return [];
    const gap = sum > 0 ? size * 0.12 : 0;
    const left = x(sum) + gap;
    sum += value;
    return [rectMark(left, 0, Math.max(x(value) - gap, size * 0.12), height, colour)];
  });
}

/** One bar of all, and its parts with value and share. */
export function share(parts: Parts, look: Look): Drawing {
  const { size, width } = look;
  const total = totalOf(parts);
  const marks = shareBar(parts, { width, size, height: size * 1.8 });
  const percent = (value: number) => `${look.number(value)} (${look.percent(value / total)})`;
  const keys = parts.map(({ label, value, colour }) => ({ label, colour, value: percent(Math.max(0, value)) }));
  const below = legend(keys, look, size * 2.8);
  return { width, height: size * 2.8 + below.height, marks: [...marks, ...below.marks] };
}
