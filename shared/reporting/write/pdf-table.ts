import type { TableBlock } from '../document.ts';
import { type CellOnPage, onPages } from './on-pages.ts';
import { SUNK } from './palette.ts';
import {
  BOTTOM,
  colourOf,
  decorate,
  drawLines,
  heightOf,
  LEADING,
  LEFT,
  need,
  newPage,
  paintLines,
  paragraph,
  type Sheet,
  WIDTH,
  within,
} from './pdf-sheet.ts';
import type { Style } from './pdf-type.ts';

const PADDING = { x: 5, y: 3.6 } as const;
const HEAD = { size: 7.6, weight: 'semibold' } as const;
const ROW = { size: 8.2 } as const;

type Column = TableBlock['columns'][number] & { x: number; width: number };
/** The lines of a cell: those of its value, and those of the values that are under it. */
type Line = { column: Column; lines: string[]; more: string[]; link: string | null };

const TITLE = { size: 10, weight: 'semibold' } as const;

/** A table of so few rows and of at most this height stays on one page. */
const SMALL = { rows: 8, height: 150 } as const;

/** The height that a table needs to begin: its title, its head and its first row, or all of a small table. */
export function beginningOf(sheet: Sheet, table: TableBlock, isTitled: boolean): number {
  const { columns, rows } = placed(sheet, table);
  const heights = rows.slice(0, SMALL.rows).map((row) => heightOfRow(rowOf(sheet, columns, row), ROW));
  const all = heights.reduce((sum, height) => sum + height, 0);
  const isSmall = rows.length <= SMALL.rows && all <= SMALL.height;
  const title = isTitled ? heightOf(sheet.type.lines(table.title, WIDTH, TITLE), TITLE) + 3 : 0;
  return title + 24 + (isSmall ? all : (heights[0] ?? 0));
}

/** A table that continues on the next page below its repeated head. */
export function drawTable(sheet: Sheet, table: TableBlock, isTitled: boolean): void {
  const { columns, rows } = placed(sheet, table);
  const head = columns.map((column) => lineOf(sheet, column, { text: column.label, more: [], link: null }, HEAD));
  need(sheet, beginningOf(sheet, table, isTitled));
  if (isTitled) {
    paragraph(sheet, table.title, { ...TITLE, colour: colourOf(sheet, 'ink') }, { tag: 'H3' });
    sheet.y += 3;
  }
  if (rows.length === 0) paragraph(sheet, table.empty, { size: 9, colour: colourOf(sheet, 'soft') });
  else {
    within(sheet, 'Table', () => {
      within(sheet, 'TR', () => drawHead(sheet, head));
      for (const row of rows) drawRow(sheet, rowOf(sheet, columns, row), head);
    });
    drawRest(sheet, table);
  }
  sheet.y += 14;
}

function placed({ format }: Sheet, table: TableBlock) {
  const { columns, rows } = onPages(table, format);
  return { columns: columnsOf(columns), rows };
}

function columnsOf(columns: TableBlock['columns']): Column[] {
  const sum = columns.reduce((all, { share }) => all + share, 0) || 1;
  let x = LEFT;
  return columns.map((column) => {
    const width = (WIDTH * column.share) / sum;
    x += width;
    return { ...column, x: x - width, width };
  });
}

const rowOf = (sheet: Sheet, columns: Column[], row: CellOnPage[]): Line[] =>
  columns.flatMap((column, n) => (row[n] ? [lineOf(sheet, column, row[n], ROW)] : []));

function lineOf(sheet: Sheet, column: Column, { text, more, link }: CellOnPage, style: Omit<Style, 'colour'>): Line {
  const linesOf = (one: string) => sheet.type.lines(one, column.width - 2 * PADDING.x, style);
  return { column, lines: linesOf(text), more: more.flatMap(linesOf), link };
}

const mostLines = (row: readonly Line[]): number =>
  Math.max(1, ...row.map(({ lines, more }) => lines.length + more.length));
const heightOfRow = (row: readonly Line[], { size }: { size: number }): number =>
  mostLines(row) * size * LEADING + 2 * PADDING.y;

function drawHead(sheet: Sheet, head: readonly Line[], tag: 'TH' | null = 'TH'): void {
  const height = heightOfRow(head, HEAD);
  decorate(sheet, () => sheet.pdf.rect(LEFT, sheet.y, WIDTH, height).fill(SUNK[0]));
  drawCells(sheet, head, { ...HEAD, colour: colourOf(sheet, 'soft') }, tag);
  sheet.y += height;
}

/** A row stays whole; one that is higher than a page continues on the next. */
function drawRow(sheet: Sheet, row: Line[], head: readonly Line[]): void {
  if (sheet.y + heightOfRow(row, ROW) > BOTTOM && heightOfRow(row, ROW) < 300) nextPage(sheet, head);
  within(sheet, 'TR', () => {
    let rest = row;
    while (rest.length > 0) {
      const room = Math.floor((BOTTOM - sheet.y - 2 * PADDING.y) / (ROW.size * LEADING));
      if (room < 1) {
        nextPage(sheet, head);
        continue;
      }
      const now = rest.map((line) => part(line, 0, room));
      drawCells(sheet, now, { ...ROW, colour: colourOf(sheet, 'ink') }, 'TD');
      sheet.y += heightOfRow(now, ROW);
      rest = mostLines(rest) > room ? rest.map((line) => part(line, room)) : [];
    }
    drawRule(sheet);
  });
}

/** The lines of a cell from one to another, those under its value after its own. */
const part = ({ lines, more, ...line }: Line, from: number, to = Number.POSITIVE_INFINITY): Line => ({
  ...line,
  lines: lines.slice(from, to),
  more: more.slice(Math.max(0, from - lines.length), Math.max(0, to - lines.length)),
});

function nextPage(sheet: Sheet, head: readonly Line[]): void {
  newPage(sheet);
  // Readers that speak know the head from the first page.
  drawHead(sheet, head, null);
}

function drawCells(sheet: Sheet, row: readonly Line[], style: Style, tag: 'TH' | 'TD' | null): void {
  const y = sheet.y + PADDING.y;
  for (const { column, lines, more, link } of row) {
    const place = { x: column.x + PADDING.x, width: column.width - 2 * PADDING.x, align: column.align, y };
    const own = link ? { ...style, colour: sheet.brand } : style;
    const below = { ...place, y: y + heightOf(lines, style) };
    const soft = { ...style, colour: colourOf(sheet, 'soft') };
    if (tag)
      within(sheet, tag, () => {
        if (lines.length > 0) drawLines(sheet, lines, place, own, link);
        if (more.length > 0) drawLines(sheet, more, below, soft);
      });
    else decorate(sheet, () => paintLines(sheet, lines, place, own));
  }
}

function drawRule(sheet: Sheet): void {
  decorate(sheet, () =>
    sheet.pdf
      .moveTo(LEFT, sheet.y)
      .lineTo(LEFT + WIDTH, sheet.y)
      .lineWidth(0.5)
      .stroke(colourOf(sheet, 'line')),
  );
}

function drawRest(sheet: Sheet, { rows, total }: TableBlock): void {
  if (total <= rows.length) return;
  const style = { size: 8, colour: colourOf(sheet, 'soft') };
  const text = sheet.words.rows(sheet.format.number(rows.length), sheet.format.number(total));
  sheet.y += 4;
  need(sheet, heightOf([text], style));
  paragraph(sheet, text, style);
}
