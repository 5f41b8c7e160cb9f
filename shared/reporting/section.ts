import { Severity } from '#shared/reports/report/report.ts';
import type { Counting, Figure } from './counting.ts';
import type { Block, Cell, TableBlock } from './document.ts';
import type { Words } from './texts/en.ts';

/** The language of a report, and the address of the page that shows a list. */
export type Page = {
  say: (text: keyof Words, values?: Readonly<Record<string, string | number>>) => string;
  number: (value: number) => string;
  /** A share from 0 to 1; null is not known. */
  percent: (share: number | null) => string;
  /** A day of an RFC 3339 time, or of a day; null is never. */
  day: (time: string | null) => string;
  /** An RFC 3339 time to the second, in UTC. */
  time: (time: string) => string;
  month: (month: string) => string;
  labelled: (label: string, value: string) => string;
  link: (list: string) => string;
  /** A name that has no more room than so many times the size of its letters. Only the two pages of a report to a board have so little. */
  short: (name: string, room: number) => string;
};

/** All rows of a table of which pages show the first. */
type Rows<F> = (counting: Counting, page: Page, facts: F) => AsyncIterable<Cell[]>;

/**
 * A section of reports: its facts, and how it shows them. Facts are plain data and name no language. They are gathered once; the same
 * facts give the same blocks.
 */
export type Section<F> = {
  title: keyof Words;
  appendix?: true;
  startsPage?: true;
  gather: (counting: Counting) => Promise<F>;
  blocks: (facts: F, page: Page) => Block[];
  /** The numbers of its sentences and its chart, each with a word. */
  figures?: (facts: F, page: Page) => readonly (readonly [label: string, figure: Figure | undefined])[];
  /** By the id of the table. */
  rows?: Readonly<Record<string, Rows<F>>>;
};

export const defineSection = <F>(section: Section<F>): Section<F> => section;

type Shown = {
  id: string;
  title: keyof Words;
  columns: readonly Declared[];
  rows: Cell[][];
  total?: number;
  empty?: keyof Words;
};
type Declared = [key: string, label: keyof Words, share: number, more?: 'right' | { under: string }];

export const tableOf = (
  page: Page,
  { id, title, columns, rows, total = rows.length, empty = 'none' }: Shown,
): TableBlock => ({
  block: 'table',
  id,
  title: page.say(title),
  columns: columns.map(([key, label, share, more]) => ({
    key,
    label: page.say(label),
    share,
    align: more === 'right' ? more : ('left' as const),
    ...(typeof more === 'object' && more),
  })),
  rows,
  empty: page.say(empty),
  total,
});

export const SEVERITIES = Severity.options;

/** A share of a number; null of nothing. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
