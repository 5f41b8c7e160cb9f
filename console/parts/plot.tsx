import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shareBar } from '#shared/reporting/charts/bars.ts';
import { drawChart } from '#shared/reporting/charts/chart.ts';
import type { Ink, Mark } from '#shared/reporting/charts/drawing.ts';
import { roughWidth } from '#shared/reporting/charts/rough-width.ts';
import type { Chart, SeriesColour } from '#shared/reporting/document.ts';
import { count } from '../texts/amounts.ts';
import { percentOf } from './format.ts';
import '../style/plot.css';

/** The colours of the theme (console/style/tokens.css). */
const INKS = {
  critical: 'critical-fill',
  high: 'high-fill',
  medium: 'medium-fill',
  low: 'low-fill',
  info: 'info-fill',
  brand: 'accent',
  good: 'good-fill',
  bad: 'critical-fill',
  neutral: 'line-strong',
  ink: 'ink',
  soft: 'ink-soft',
  line: 'line',
  ground: 'surface',
} as const satisfies Record<Ink, string>;

const colourOf = (ink: Ink | null): string => (ink ? `var(--${INKS[ink]})` : 'none');

const Shape = ({ mark }: { mark: Mark }) => {
  if (mark.mark === 'rect') {
    const { x, y, width, height, fill } = mark;
    return <rect x={x} y={y} width={width} height={height} fill={colourOf(fill)} />;
  }
  if (mark.mark === 'path')
    return (
      <path
        d={mark.d}
        fill={colourOf(mark.fill)}
        fill-opacity={mark.opacity}
        stroke={colourOf(mark.stroke)}
        stroke-width={mark.width}
        stroke-dasharray={mark.dash ?? undefined}
      />
    );
  const { x, y, text, size, ink, anchor, strong } = mark;
  return (
    <text x={x} y={y} fill={colourOf(ink)} font-size={size} font-weight={strong ? 600 : undefined} text-anchor={anchor}>
      {text}
    </text>
  );
};

type Column = { title: string; choose?: () => void };
type PlotProps = {
  chart: Extract<Chart, { chart: 'stacked-bars' }>;
  /** The chart in a sentence. */
  label: string;
  height: number;
  /** Each column has a title for the pointer, and may do something when it is clicked. */
  columns: readonly Column[];
};

/** A chart of the reports in the width that the page has for it, so that its letters have the size of those around. */
export function Plot({ chart, label, height, columns }: PlotProps) {
  const [width, frame] = useWidth();
  const { marks, places } = drawChart(chart, {
    width,
    height,
    size: 12,
    measure: roughWidth,
    // what goes downward is an amount as well
    number: (value) => count(Math.abs(value)),
    percent: percentOf,
    empty: label,
  });
  return (
    <svg ref={frame} class="plot" viewBox={`0 0 ${width || 1} ${height}`} height={height} role="img" aria-label={label}>
      {width > 0 && (
        <>
          {columns.map(({ title, choose }, n) => (
            <rect
              key={title}
              class={choose ? 'plot-place plot-choice' : 'plot-place'}
              {...places?.[n]}
              height={height}
              onClick={choose}
            >
              <title>{title}</title>
            </rect>
          ))}
          <g>
            {marks.map((mark, n) => (
              <Shape key={n} mark={mark} />
            ))}
          </g>
        </>
      )}
    </svg>
  );
}

type Part = { label: string; value: number; colour: SeriesColour };

/** The bar of shares of the reports. Its amounts are beside it: `label` has them where the page has no others. */
export function ShareBar({ parts, label }: { parts: readonly Part[]; label?: string }) {
  const [width, frame] = useWidth();
  const shown = parts.filter(({ value }) => value > 0);
  const marks = width > 0 ? shareBar(shown, { width, height: 14, size: 12 }) : [];
  return (
    <svg
      ref={frame}
      class="bar"
      viewBox={`0 0 ${width || 1} 14`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
      {marks.map((mark, n) => (
        <g key={shown[n]?.label}>
          <title>{`${shown[n]?.label}: ${count(shown[n]?.value ?? 0)}`}</title>
          <Shape mark={mark} />
        </g>
      ))}
    </svg>
  );
}

function useWidth() {
  const [width, setWidth] = useState(0);
  const frame = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [width, frame] as const;
}
