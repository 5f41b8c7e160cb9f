import type { Cell, TableBlock } from '../document.ts';
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
type Line = { column: Column; lines: string[]; link: string | null };

/** A table that continues on the next page below its repeated head. */
export function drawTable(sheet: Sheet, table: TableBlock): void {
  const columns = columnsOf(table.columns);
  const head = columns.map((column) => lineOf(sheet, column, column.label, HEAD));
  const first = table.rows[0]?.map((cell) => sheet.format.cell(cell)).join('') ?? '';
  need(sheet, 62 + Math.min(first.length / 4, 60));
  paragraph(sheet, table.title, { size: 10, weight: 'semibold', colour: colourOf(sheet, 'ink') }, { tag: 'H3' });
  sheet.y += 3;
  if (table.rows.length === 0) paragraph(sheet, table.empty, { size: 9, colour: colourOf(sheet, 'soft') });
  else {
    within(sheet, 'Table', () => {
      within(sheet, 'TR', () => drawHead(sheet, head));
      for (const row of table.rows) drawRow(sheet, rowOf(sheet, columns, row), head);
    });
    drawRest(sheet, table);
  }
  sheet.y += 14;
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

const rowOf = (sheet: Sheet, columns: Column[], row: Cell[]): Line[] =>
  columns.map((column, n) => lineOf(sheet, column, row[n] ?? null, ROW));

function lineOf(sheet: Sheet, column: Column, cell: Cell, style: Omit<Style, 'colour'>): Line {
  const lines = sheet.type.lines(sheet.format.cell(cell), column.width - 2 * PADDING.x, style);
  return { column, lines, link: cell !== null && typeof cell === 'object' ? cell.link : null };
}

const mostLines = (row: readonly Line[]): number => Math.max(1, ...row.map(({ lines }) => lines.length));
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
      const now = rest.map((line) => ({ ...line, lines: line.lines.slice(0, room) }));
      drawCells(sheet, now, { ...ROW, colour: colourOf(sheet, 'ink') }, 'TD');
      sheet.y += heightOfRow(now, ROW);
      rest = mostLines(rest) > room ? rest.map((line) => ({ ...line, lines: line.lines.slice(room) })) : [];
    }
    drawRule(sheet);
  });
}

function nextPage(sheet: Sheet, head: readonly Line[]): void {
  newPage(sheet);
  // Readers that speak know the head from the first page.
  drawHead(sheet, head, null);
}

function drawCells(sheet: Sheet, row: readonly Line[], style: Style, tag: 'TH' | 'TD' | null): void {
  const y = sheet.y + PADDING.y;
  for (const { column, lines, link } of row) {
    const place = { x: column.x + PADDING.x, width: column.width - 2 * PADDING.x, align: column.align, y };
    const own = link ? { ...style, colour: sheet.brand } : style;
    if (tag) within(sheet, tag, () => drawLines(sheet, lines, place, own, link));
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
