import type { Entry } from '../../readers/entries.ts';
import { htmlText } from '../../readers/html.ts';
import { LIMITS, type OpenReport, ReportError } from '../../report/report.ts';

/** By the names of its columns in the JSON; the summary has the count. */
const COLUMNS = new Map([
  ['rule', 'rule'],
  ['severity', 'severity'],
  ['component', 'component'],
  ['line', 'line'],
  ['description', 'description'],
  ['message', 'message'],
  ['status', 'status'],
  ['key', 'key'],
  ['number of issues', 'count'],
]);

/**
 * The rows of sonar-report's table of issues. Its HTML is not well-formed XML, but the rows of that table are plain:
 * cells of text, some with a link. The rest of the page is skipped. A page without issues has no such table: then its
 * summary has the count 0.
 * @throws unsupported_format when the page has no such table, truncated_report when the page ends early
 */
export async function* reportRows(open: OpenReport): AsyncGenerator<Entry> {
  const page = { isWhole: false, hasIssues: false, counted: Number.NaN };
  let columns: (string | undefined)[] | undefined;
  for await (const { row, number, endsTable, endsPage } of rowsOf(open)) {
    page.isWhole ||= endsPage;
    if (endsTable) columns = undefined;
    const cells = cellsOf(row);
    const header = cells.map((cell) => COLUMNS.get(cell.toLowerCase()));
    if (header.includes('count')) page.counted = 0;
    if (header.includes('rule') && header.includes('component')) page.hasIssues = true;
    if (header.includes('severity')) columns = header;
    else if (columns?.includes('count')) page.counted += Number(cells[columns.indexOf('count')]);
    else if (columns && cells.length > 0)
      yield { value: Object.fromEntries(valuesOf(columns, cells)), where: `row ${number}` };
  }
  if (!page.hasIssues && page.counted !== 0)
    throw new ReportError('unsupported_format', 'The page has no table of issues with their rules and components.');
  if (!page.isWhole)
    throw new ReportError('truncated_report', 'The page ends early: let the tool finish, then send the whole file.');
}

const valuesOf = (columns: (string | undefined)[], cells: string[]): [string, string][] =>
  cells.flatMap((cell, n): [string, string][] => (columns[n] && cell ? [[columns[n], cell]] : []));

type Piece = { row: string; number: number; endsTable: boolean; endsPage: boolean };

const ROW_END = '</tr>';

/**
 * The page cut behind each row. A table or the page that ends does so before the row of its piece. Each character is searched once,
 * however long the row is: `tail` is the part of the row that may begin its end.
 */
async function* rowsOf(open: OpenReport): AsyncGenerator<Piece> {
  const decoder = new TextDecoder();
  let row: string[] = [];
  let length = 0;
  let tail = '';
  let number = 0;
  for await (const chunk of open()) {
    const pieces = (tail + decoder.decode(chunk, { stream: true })).split(ROW_END);
    const rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      number += 1;
      yield { ...pieceOf(row.join('') + piece), number };
      row = [];
      length = 0;
    }
    tail = rest.slice(-ROW_END.length);
    row.push(rest.slice(0, -ROW_END.length));
    length += rest.length - tail.length;
    if (length > LIMITS.rawValue)
      throw new ReportError('too_large', `A row of the page is over ${LIMITS.rawValue} characters: leave texts out.`);
  }
  yield { ...pieceOf(row.join('') + tail), number: number + 1 };
}

function pieceOf(text: string): Omit<Piece, 'number'> {
  const start = text.lastIndexOf('<tr');
  const before = start === -1 ? text : text.slice(0, start);
  return {
    row: start === -1 ? '' : text.slice(start),
    endsTable: before.includes('</table>'),
    endsPage: before.includes('</html>'),
  };
}

const cellsOf = (row: string): string[] =>
  row
    .split(/<\/t[dh]>/)
    .slice(0, -1)
    .map((cell) => htmlText(cell.slice(Math.max(cell.lastIndexOf('<td'), cell.lastIndexOf('<th'), 0)))?.trim() ?? '');
