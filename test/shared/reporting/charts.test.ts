import { expect, test } from 'vitest';
import { shareBar } from '#shared/reporting/charts/bars.ts';
import { drawChart } from '#shared/reporting/charts/chart.ts';
import type { Drawing } from '#shared/reporting/charts/drawing.ts';
import { roughWidth } from '#shared/reporting/charts/rough-width.ts';
import type { Series } from '#shared/reporting/document.ts';

const draw = (labels: string[], series: Series[], width = 400) =>
  drawChart(
    { chart: 'stacked-bars', labels, series, lines: [] },
    { width, height: 200, size: 12, measure: roughWidth, number: String, percent: String, empty: 'None' },
  );

const columnsIn = ({ marks }: Drawing, colour: string) =>
  marks.flatMap((mark) => (mark.mark === 'rect' && mark.fill === colour && mark.width > 20 ? [mark] : []));

test('values below 0 go downward from the line of 0, at the place that answers the pointer, and one of thousands is seen', () => {
  const drawing = draw(
    ['Monday', 'Tuesday'],
    [
      { label: 'Came', colour: 'high', values: [4000, 1] },
      { label: 'Went', colour: 'good', values: [-2000, 0] },
    ],
  );
  const [came, one] = columnsIn(drawing, 'high');
  const [went] = columnsIn(drawing, 'good');
  if (!came || !one || !went) expect.fail('a column is missing');
  expect(came.y + came.height).toBeCloseTo(went.y);
  expect(came.height).toBeCloseTo(2 * went.height);
  expect(one.height).toBeGreaterThan(1);
  expect(drawing.places).toHaveLength(2);
  for (const [n, column] of [came, one].entries()) {
    const { x, width } = drawing.places?.[n] ?? { x: 0, width: 0 };
    expect(x).toBeLessThan(column.x);
    expect(x + width).toBeGreaterThan(column.x + column.width);
  }
});

test.each([2, 12, 30, 60, 96])('labels below %i columns keep apart, in any width', (amount) => {
  const labels = Array.from({ length: amount }, (_, n) => `Nov ${(n % 30) + 1}, ${(n % 12) + 1}:00 PM`);
  for (const width of [300, 400, 840, 1200]) {
    const { marks, places } = draw(labels, [{ label: '', colour: 'high', values: labels.map(() => 9) }], width);
    const lines = marks.flatMap((mark) => (mark.mark === 'text' && mark.anchor === 'middle' ? [mark] : []));
    const lowest = new Map(lines.map((line) => [line.x, line]));
    expect(places).toHaveLength(amount);
    for (const y of new Set([...lowest.values()].map((line) => line.y))) {
      const row = lines.filter((line) => line.y === y);
      const ends = row.map(({ x, text }) => [
        x - roughWidth(text.trimEnd(), 12) / 2,
        x + roughWidth(text.trimEnd(), 12) / 2,
      ]);
      for (const [n, [start = 0]] of ends.entries()) expect(start).toBeGreaterThan(ends[n - 1]?.[1] ?? -1);
    }
  }
});

test('a bar of shares has a part for each value above 0, in its proportion, and none of one is too small to be seen', () => {
  const part = (value: number) => ({ label: '', colour: 'good' as const, value });
  const room = { width: 400, height: 14, size: 12 };
  const rects = shareBar([3000, 0, 1, 999].map(part), room).flatMap((mark) => (mark.mark === 'rect' ? [mark] : []));
  expect(rects).toHaveLength(3);
  expect(rects[0]).toMatchObject({ x: 0, width: 300, height: 14 });
  expect(rects[1]?.width).toBeGreaterThan(1);
  expect((rects[2]?.x ?? 0) + (rects[2]?.width ?? 0)).toBeCloseTo(400);
  expect(shareBar([part(0)], room)).toEqual([]);
});
