import { USUAL_COLUMNS } from '#shared/platform/exports/export.ts';
import { type RecordsFile, valueAt } from './file.ts';

/** RFC 4180: comma, quotes, CRLF, UTF-8; the first row has the column names. */
export const csvFile = ({ columns = USUAL_COLUMNS }: { columns?: readonly string[] }): RecordsFile => ({
  head: rowOf(columns),
  add(place, record) {
    place.entries += 1;
    return rowOf(columns.map((column) => cellOf(valueAt(record, column))));
  },
  foot: () => '',
});

const rowOf = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `"${withoutFormulas(textOf(value)).replaceAll('"', '""')}"`;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ');
  return JSON.stringify(value);
}

/**
 * Characters with which a cell begins that a spreadsheet would treat as a formula (OWASP, "CSV Injection"; the wide
 * signs in East Asian versions). An apostrophe makes the cell a text. The same applies after a separator within a text,
 * because some versions end cells at a semicolon or a tab in spite of quotes.
 */
const FORMULA = /(?<=^|[;,\t\r\n])(?="{0,9}[=+\-@\t\r\n＝＋－＠])/g;

const withoutFormulas = (text: string): string => text.replace(FORMULA, "'");
