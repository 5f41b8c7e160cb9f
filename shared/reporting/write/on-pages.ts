import type { Column, TableBlock } from '../document.ts';
import type { Format } from './format.ts';

/** A cell of a page: its value, and those that are under it with their labels. */
export type CellOnPage = { text: string; more: string[]; link: string | null };

/** A table as pages show it: values of columns with `under` are in the cells of other columns, and only if there are any. */
export function onPages({ columns, rows }: TableBlock, format: Format): { columns: Column[]; rows: CellOnPage[][] } {
  const at = new Map(columns.map(({ key }, n) => [key, n]));
  const shown = columns.filter(({ under }) => under === undefined);
  const cells = shown.map(({ key }) => ({
    own: at.get(key) ?? 0,
    below: columns.filter(({ under }) => under === key).map((column) => ({ ...column, n: at.get(column.key) ?? 0 })),
  }));
  const cellOf = (row: TableBlock['rows'][number], { own, below }: (typeof cells)[number]): CellOnPage => {
    const cell = row[own] ?? null;
    const more = below.flatMap(({ label, n }) => {
      const value = row[n] ?? null;
      return value === null || value === '' ? [] : [format.labelled(label, format.cell(value))];
    });
    return { text: format.cell(cell), more, link: cell !== null && typeof cell === 'object' ? cell.link : null };
  };
  return { columns: shown, rows: rows.map((row) => cells.map((cell) => cellOf(row, cell))) };
}
