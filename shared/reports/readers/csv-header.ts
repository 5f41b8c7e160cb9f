/** A column's name, or its names in several versions of the tool. */
export type Column = string | readonly string[];

/** The first characters that a CSV may have: quotes, or the letter of a column or of a summary before the header. */
export const CSV_BEGINS = '"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Whether the head of a text has a header line with these columns, with any separator. */
export function hasCsvHeader(head: string, ...columns: readonly Column[]): boolean {
  if (!CSV_BEGINS.includes(head.charAt(0))) return false;
  const lines = head.split(/\r?\n/);
  return DELIMITERS.some((delimiter) => lines.some((line) => isCsvHeader(headerCells(line, delimiter), columns)));
}

const DELIMITERS = [',', ';', '\t'];

export const headerCells = (line: string, delimiter: string): string[] =>
  line.split(delimiter).map((cell) => cell.replaceAll('"', '').trim());

/** Ignores letter case. */
export function isCsvHeader(cells: readonly string[], columns: readonly Column[]): boolean {
  const names = new Set(cells.map((cell) => cell.toLowerCase()));
  return columns.every((column) => [column].flat().some((name) => names.has(name.toLowerCase())));
}
