import { Readable } from 'node:stream';
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { type OpenReport, ReportError } from '../report/report.ts';
import { type Column, headerCells, isCsvHeader } from './csv-header.ts';
import type { Entry } from './entries.ts';
import type { JsonObject } from './json.ts';

/** A row by its columns' names, without empty cells. */
export type CsvRow = Record<string, string> & JsonObject;

type Csv = {
  /**
   * Columns by which the header is known, in any letter case. Rows before it are not of the list: some tools write a summary
   * first.
   */
  columns: readonly Column[];
  /** One or several that the tool may write; the header decides. */
  delimiters?: string;
};

type Parsed = { record: string[]; info: Info };

/**
 * The rows of a CSV report (RFC 4180, quotes read with tolerance), one in memory at a time. A file that was cut between
 * two rows looks complete.
 * @throws unsupported_format when no row has these columns, truncated_report when the last row breaks off
 */
export async function* csvEntries(
  open: OpenReport,
  { columns, delimiters = ',;\t' }: Csv,
): AsyncGenerator<Entry<CsvRow>> {
  const isHeader = (row: readonly string[]) => isCsvHeader(row, columns);
  const delimiter = await delimiterOf(open, delimiters, isHeader);
  let header: string[] | undefined;
  let before = 0;
  let isShort = false;
  let rows = 0;
  const last = { byte: 0 };
  for await (const { record, info } of rowsOf(withLast(open(), last), delimiter)) {
    const where = `line ${info.lines}`;
    rows += 1;
    if (rows > MANY_ROWS && info.bytes < rows * LEAST_ROW) throw tooShort(info.lines);
    if (!header) {
      header = isHeader(record) ? record : undefined;
      before += 1;
      if (!header && before >= MAX_BEFORE_HEADER) break;
    } else if (record.slice(header.length).some((cell) => cell.trim() !== ''))
      yield { where, problem: 'the row has more cells than the header' };
    else if (record.some((cell) => cell.trim() !== '')) yield { value: rowOf(header, record), where };
    isShort = record.length < (header?.length ?? 0);
  }
  if (!header)
    throw new ReportError('unsupported_format', `The CSV has no header with ${columns.map(printed).join(', ')}.`);
  if (isShort && last.byte !== NEWLINE) throw truncated('in the middle of its last row');
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A row costs some microseconds, whatever its length. */
const MANY_ROWS = 300_000;
/** Bytes of a row on average. */
const LEAST_ROW = 24;

const tooShort = (line: number): ReportError =>
  new ReportError(
    'invalid_report',
    `The rows up to line ${line} of the CSV have less than ${LEAST_ROW} bytes on average: name the format that the report has.`,
  );

/** Rows of a summary that a tool may write first. */
const MAX_BEFORE_HEADER = 1_000;

const printed = (column: Column): string => [column].flat().join(' or ');

/** The first cell that is filled, of columns that the versions of a tool name differently. */
export function cellOf(row: CsvRow, ...columns: readonly string[]): string | undefined {
  return columns.map((column) => row[column]).find((cell) => cell !== undefined);
}

async function* withLast(source: AsyncIterable<Uint8Array>, last: { byte: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    last.byte = chunk.at(-1) ?? last.byte;
    yield Uint8Array.from(chunk); // the parser keeps it, and the source may reuse its buffer
  }
}

const truncated = (where: string): ReportError =>
  new ReportError('truncated_report', `The CSV ends early, ${where}: let the tool finish, then send the whole file.`);

function rowOf(header: readonly string[], cells: readonly string[]): CsvRow {
  const row: CsvRow = Object.create(null);
  for (const [n, name] of header.entries()) {
    const cell = cells[n]?.trim();
    if (cell) row[name] = cell;
  }
  return row;
}

/** Characters. The parser takes up to a second for a row of so many quotes. */
const MAX_ROW = 2 * 1_024 * 1_024;

/** The widest report of a tool has some hundred columns. Several rows wait at once, and each cell may be a byte. */
const MAX_CELLS = 10_000;

const tooWide = (line: number): ReportError =>
  new ReportError(
    'too_large',
    `The row of the CSV at line ${line} has over ${MAX_CELLS} cells: name the format it has.`,
  );

async function* rowsOf(source: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<Parsed> {
  const options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, trim: true };
  const parser = parse({
    ...options,
    delimiter,
    info: true,
    max_record_size: MAX_ROW,
    on_record: (parsed) => {
      const { record, info } = parsed as unknown as Parsed;
      if (record.length > MAX_CELLS) throw tooWide(info.lines);
      return parsed;
    },
  });
  expectAnyLength(parser);
  Readable.from(withNarrowLines(source, delimiter), { objectMode: false })
    .on('error', (error) => parser.destroy(error))
    .pipe(parser);
  try {
    for await (const parsed of parser) yield parsed as Parsed;
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error) : error;
  }
}

/**
 * For a row of another length than the first the parser makes an error and drops it (`relax_column_count`), which costs
 * several times what the row costs. Here each row has the length that is expected.
 */
function expectAnyLength(parser: Parser): void {
  const { state } = parser as unknown as { state: { record: string[] } };
  Object.defineProperty(state, 'expectedRecordLength', { get: () => state.record.length, set: () => undefined });
}

/** The parser shows a row at its end only: 15 MB of delimiters would be millions of cells by then. Quoted texts have fewer. */
const MAX_DELIMITERS = 200_000;

/** The parser reads a whole chunk before it shows the first row, and a short row costs it some microseconds. */
const PIECE = 16 * 1_024;

/** Lines without a value, of which a row costs a tenth of a microsecond or more, where there are few others. */
const MAX_EMPTY = 1_000_000;
const EMPTY_TO_FILLED = 4;

const tooEmpty = (line: number): ReportError =>
  new ReportError(
    'invalid_report',
    `Over ${MAX_EMPTY} lines before line ${line} of the CSV are empty: send the file as the tool wrote it.`,
  );

const SPACE = 0x20;
const isBlank = (byte: number): boolean => byte === SPACE || (byte >= 0x09 && byte <= RETURN);

/** Blanks behind blanks, of which a cell is trimmed one by one, where there is little else. */
const MAX_PADDING = 8 * 1_024 * 1_024;
const PADDING_TO_TEXT = 4;

const tooPadded = (line: number): ReportError =>
  new ReportError(
    'invalid_report',
    `Most of the CSV before line ${line} are blanks: send the file as the tool wrote it.`,
  );

async function* withNarrowLines(source: AsyncIterable<Uint8Array>, delimiter: string): AsyncGenerator<Uint8Array> {
  const mark = delimiter.charCodeAt(0);
  let [found, line, filled, isFilled] = [0, 1, 0, false];
  let [read, padding, before] = [0, 0, 0];
  for await (const chunk of source) {
    for (const byte of chunk) {
      if (isBlank(byte) && isBlank(before)) padding += 1;
      before = byte;
      if (byte === NEWLINE) {
        if (isFilled) filled += 1;
        if (line - filled > MAX_EMPTY && line > (1 + EMPTY_TO_FILLED) * filled) throw tooEmpty(line);
        [found, isFilled] = [0, false];
        line += 1;
      } else if (byte === mark) {
        if (++found > MAX_DELIMITERS) throw tooWide(line);
      } else if (byte !== RETURN && byte !== SPACE) isFilled = true;
    }
    read += chunk.length;
    if (padding > MAX_PADDING && padding > PADDING_TO_TEXT * (read - padding)) throw tooPadded(line);
    for (let at = 0; at < chunk.length; at += PIECE) yield chunk.subarray(at, at + PIECE);
  }
}

function unreadable({ code, lines }: CsvError & { lines?: number }): ReportError {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return truncated('inside of quotes');
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ReportError('too_large', `A row of the CSV is over ${MAX_ROW} characters: leave outputs out.`);
  return new ReportError(
    'invalid_report',
    `The CSV cannot be read at line ${lines}: send the file as the tool wrote it.`,
  );
}

/** The header may come after a summary, so each delimiter is tried on the beginning. */
async function delimiterOf(
  open: OpenReport,
  delimiters: string,
  isHeader: (row: readonly string[]) => boolean,
): Promise<string> {
  const [first = ','] = delimiters;
  if (delimiters.length === 1) return first;
  let head = '';
  for await (const chunk of open()) {
    head += Buffer.from(chunk).toString('latin1');
    if (head.length > HEAD) break;
  }
  const lines = head.slice(0, HEAD).split(/\r?\n/);
  return [...delimiters].find((delimiter) => lines.some((line) => isHeader(headerCells(line, delimiter)))) ?? first;
}

const HEAD = 64 * 1024;
