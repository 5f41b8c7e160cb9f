import { USUAL_COLUMNS } from '#shared/platform/exports/export.ts';
import { type RecordsFile, valueAt } from './file.ts';

/** RFC 4180: comma, quotes, CRLF, UTF-8; the first row has the names. */
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
 * A spreadsheet takes a cell that begins so for a formula (OWASP, "CSV Injection"; the wide signs in East Asian versions). An
 * apostrophe makes it a text. The same behind a separator within a text, because some versions end cells at a semicolon or a
 * tab, whatever the quotes say.
 */
const FORMULA = /(?<=^|[;,\t\r\n])(?="{0,9}[=+\-@\t\r\n＝＋－＠])/g;

const withoutFormulas = (text: string): string => text.replace(FORMULA, "'");
