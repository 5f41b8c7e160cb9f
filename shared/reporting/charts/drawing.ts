import type { SeriesColour } from '../document.ts';

/**
 * A drawing as plain data, from its upper left corner. Charts are computed once (chart.ts, spark.ts) and painted as SVG for pages, in PDF,
 * and by the console. `places` are those of the columns with their gaps, for a painter that answers the pointer.
 */
export type Drawing = { width: number; height: number; marks: Mark[]; places?: Place[] };

type Place = { x: number; width: number };

/** Names of colours; a painter knows their values. */
export type Ink = SeriesColour | 'ink' | 'soft' | 'line' | 'ground';

export type Mark = RectMark | PathMark | TextMark;
type RectMark = { mark: 'rect'; x: number; y: number; width: number; height: number; fill: Ink };
type PathMark = {
  mark: 'path';
  d: string;
  fill: Ink | null;
  stroke: Ink | null;
  width: number;
  opacity: number;
  dash: number | null;
};
/** `y` is the line on which the letters stand. */
export type TextMark = {
  mark: 'text';
  x: number;
  y: number;
  text: string;
  size: number;
  ink: Ink;
  anchor: 'start' | 'middle' | 'end';
  strong: boolean;
  link: string | null;
};

/** The room and the letters that a painter gives to a chart. `size` is that of its texts; all distances follow from it. */
export type Look = {
  width: number;
  height: number;
  size: number;
  measure: (text: string, size: number) => number;
  number: (value: number) => string;
  /** Of a share from 0 to 1. */
  percent: (share: number) => string;
  /** Stands instead of a chart without values. */
  empty: string;
};

export const textMark = (text: string, x: number, y: number, size: number, more: Partial<TextMark> = {}): TextMark => ({
  mark: 'text',
  x,
  y,
  text,
  size,
  ink: 'soft',
  anchor: 'start',
  strong: false,
  link: null,
  ...more,
});

export const rectMark = (x: number, y: number, width: number, height: number, fill: Ink): RectMark => ({
  mark: 'rect',
  x,
  y,
  width,
  height,
  fill,
});

const pathMark = (d: string, more: Partial<PathMark>): PathMark => ({
  mark: 'path',
  d,
  fill: null,
  stroke: null,
  width: 1,
  opacity: 1,
  dash: null,
  ...more,
});
export const strokeMark = (d: string, stroke: Ink, width: number, dash: number | null = null): PathMark =>
  pathMark(d, { stroke, width, dash });
export const fillMark = (d: string, fill: Ink, opacity = 1): PathMark => pathMark(d, { fill, opacity });
