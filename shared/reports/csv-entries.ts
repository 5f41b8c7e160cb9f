import { Readable } from 'node:stream';
import { CsvError, type Info, parse } from 'csv-parse';
import type { Entry } from './entries.ts';
import type { JsonObject } from './json.ts';
import { LIMITS, type OpenReport, ReportError } from './report.ts';

/** A row by its columns' names. Empty cells are left out. */
export type CsvRow = Record<string, string> & JsonObject;

type Csv = {
  /** Columns by which the header is known. Rows before it are not of the list: some tools write a summary first. */
  columns: readonly string[];
  /** One or several that the tool may write; the header decides. */
  delimiters?: string;
};

type Parsed = { record: string[]; info: Info };

/**
 * The rows of a CSV report (RFC 4180, quotes read with tolerance), one in memory at a time.
 * @throws unsupported_format when no row has these columns
 */
export async function* csvEntries(
  open: OpenReport,
  { columns, delimiters = ',;\t' }: Csv,
): AsyncGenerator<Entry<CsvRow>> {
  let header: string[] | undefined;
  for await (const { record, info } of rowsOf(open, await delimiterOf(open, { columns, delimiters }))) {
    const where = `line ${info.lines}`;
    if (!header) header = columns.every((column) => record.includes(column)) ? record : undefined;
    else if (record.length > header.length) yield { where, problem: 'the row has more cells than the header' };
    else if (record.some((cell) => cell.trim() !== '')) yield { value: rowOf(header, record), where };
  }
  if (!header) throw new ReportError('unsupported_format', `The CSV has no header with ${columns.join(', ')}.`);
}

function rowOf(header: readonly string[], cells: readonly string[]): CsvRow {
  const row: CsvRow = Object.create(null);
  for (const [n, name] of header.entries()) {
    const cell = cells[n]?.trim();
    if (cell) row[name] = cell;
  }
  return row;
}

async function* rowsOf(open: OpenReport, delimiter: string): AsyncGenerator<Parsed> {
  const options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true };
  const parser = parse({ ...options, delimiter, info: true, max_record_size: LIMITS.rawValue });
  Readable.from(open(), { objectMode: false })
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  try {
    for await (const parsed of parser) yield parsed as Parsed;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

function unreadable({ code, lines }: CsvError & { lines?: number }): ReportError {
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new ReportError(
      'truncated_report',
      'The CSV ends early, inside of quotes: let the tool finish, then send the whole file.',
    );
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ReportError('too_large', `A row of the CSV is over ${LIMITS.rawValue} characters: leave outputs out.`);
  return new ReportError(
    'invalid_report',
    `The CSV cannot be read at line ${lines}: send the file as the tool wrote it.`,
  );
}

/** The header may stand behind a summary, so each delimiter is tried on the beginning. */
async function delimiterOf(open: OpenReport, { columns, delimiters = '' }: Csv): Promise<string> {
  const [first = ','] = delimiters;
  if (delimiters.length === 1) return first;
  let head = '';
  for await (const chunk of open()) {
    head += Buffer.from(chunk).toString('latin1');
    if (head.length > HEAD) break;
  }
  const lines = head.slice(0, HEAD).split(/\r?\n/);
  const cells = (delimiter: string) => (line: string) =>
    line.split(delimiter).map((cell) => cell.replaceAll('"', '').trim());
  const isHeader = (row: string[]) => columns.every((column) => row.includes(column));
  return [...delimiters].find((delimiter) => lines.map(cells(delimiter)).some(isHeader)) ?? first;
}

const HEAD = 64 * 1024;
