/** A row of a CSV (RFC 4180): comma, quotes, CRLF. */
export const csvRow = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`;

/** The first row of a CSV: names of columns, which need no quotes. */
export const csvHead = (columns: readonly string[]): string => `${columns.join(',')}\r\n`;

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
