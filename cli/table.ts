import type { Context } from './context.ts';
import { cellOf, valueAt } from './records/values.ts';
import { oneLine } from './texts.ts';

type Screen = Pick<Context, 'colours' | 'width'>;

/** Names with their values, one a line. */
export function facts({ colours }: Pick<Context, 'colours'>, values: Record<string, string>): string {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values)
    .map(([name, value]) => `${colours.dim(name.padEnd(width))}  ${oneLine(value)}`)
    .join('\n');
}

type Columns = { columns: readonly string[]; wide: readonly string[] };
const GAP = 2;
const NARROWEST = 16;
/** An id stays in its line where wide columns have so much room beside it. */
const ROOM_BESIDE_ID = 28;
/** The end of a place says more than its beginning. */
const CUT_IN_FRONT = ['location', 'asset.name'];

/**
 * Records as a table, page by page. In a terminal the wide columns give way to its width, and an id that has no room is on a
 * line of its own. In a pipe tabs separate whole values, so that `cut` and `awk` read them.
 */
export function tablePages(screen: Screen, { columns, wide }: Columns): (records: readonly object[]) => string {
  let isFirst = true;
  return (records) => {
    const rows = records.map((record) => columns.map((column) => cellOf(valueAt(record, column))));
    const head = isFirst ? [columns.map(titleOf)] : [];
    isFirst = false;
    const { width } = screen;
    if (width === undefined) return [...head, ...rows].map((row) => `${row.join('\t')}\n`).join('');
    return drawn(screen, { width, columns, wide, head, rows });
  };
}

type Drawing = Columns & { width: number; head: string[][]; rows: string[][] };
type Column = { name: string; at: number; isWide: boolean; needed: number };

function drawn({ colours }: Screen, { width, columns, wide, head, rows }: Drawing): string {
  const all = columns.map((name, at) => {
    const needed = Math.max(...[...head, ...rows].map((row) => widthOf(row[at] ?? '')), 0);
    return { name, at, isWide: wide.includes(name), needed };
  });
  const shown = shownOf(all, width);
  const id = all.find(({ name }) => name === 'id' && !shown.some((one) => one.name === 'id'));
  const widths = fitted(shown, width);
  const line = (row: string[], paint: (text: string, column: string) => string) =>
    shown
      .map(({ name, at }, place) => paint(fitting(row[at] ?? '', { name, width: widths[place] ?? 0 }), name))
      .join(' '.repeat(GAP))
      .trimEnd();
  const heads = head.map((row) => line(row, (text) => colours.dim(text)));
  const bodies = rows.flatMap((row) => {
    const main = line(row, (text, column) => painted({ colours }, column, text));
    return id ? [main, `  ${colours.dim(row[id.at] ?? '')}`] : [main];
  });
  return [...heads, ...bodies].map((text) => `${text}\n`).join('');
}

/** The columns that have room: an id goes to a line of its own first, then the last columns are left out. */
function shownOf(all: readonly Column[], width: number): Column[] {
  if (leastWidth(all, ROOM_BESIDE_ID) <= width) return [...all];
  const shown = all.filter(({ name }) => name !== 'id');
  while (shown.length > 1 && leastWidth(shown) > width) shown.pop();
  return shown;
}

const leastWidth = (columns: readonly Column[], narrowest = NARROWEST): number =>
  columns.reduce(
    (sum, { isWide, needed }) => sum + (isWide ? Math.min(narrowest, needed) : needed),
    GAP * (columns.length - 1),
  );

/** The widths of columns: the widest of the wide ones gives way first. */
function fitted(columns: readonly Column[], width: number): number[] {
  const widths = columns.map(({ needed }) => needed);
  const places = columns.flatMap(({ isWide }, place) => (isWide ? [place] : []));
  let excess = widths.reduce((sum, one) => sum + one, GAP * (columns.length - 1)) - width;
  for (; excess > 0; excess -= 1) {
    const widest = places.toSorted((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined || (widths[widest] ?? 0) <= 1) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

const WIDE_SIGN =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
const NO_WIDTH = /[\p{M}\u200b-\u200d]/u;

/** The columns of a terminal that a text takes. */
const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + widthOfSign(sign), 0);

function widthOfSign(sign: string): number {
  if (NO_WIDTH.test(sign)) return 0;
  return WIDE_SIGN.test(sign) ? 2 : 1;
}

/** A text in a column of this width. */
function fitting(text: string, { name, width }: { name: string; width: number }): string {
  const own = widthOf(text);
  if (own <= width) return text + ' '.repeat(width - own);
  const signs = [...text];
  const isFromEnd = CUT_IN_FRONT.includes(name);
  const kept = firstOf(isFromEnd ? signs.toReversed() : signs, width - 1);
  const short = isFromEnd ? `…${kept.toReversed().join('')}` : `${kept.join('')}…`;
  return short + ' '.repeat(Math.max(0, width - widthOf(short)));
}

function firstOf(signs: readonly string[], width: number): string[] {
  let left = width;
  const end = signs.findIndex((sign) => {
    left -= widthOfSign(sign);
    return left < 0;
  });
  return signs.slice(0, end < 0 ? undefined : end);
}

/** `firstSeenAt` is `FIRST SEEN AT`, `asset.name` is `ASSET`. */
const titleOf = (column: string): string =>
  column
    .replace(/\.(?:name|value)$/, '')
    .replaceAll('.', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toUpperCase();

function painted({ colours }: Pick<Screen, 'colours'>, column: string, text: string): string {
  if (column === 'id') return colours.dim(text);
  if (column !== 'severity' && column !== 'status') return text;
  const paint = { critical: colours.red, high: colours.red, medium: colours.yellow, failed: colours.red }[text.trim()];
  return paint ? paint(text) : text;
}
