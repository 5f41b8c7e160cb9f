import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Upper bounds; a missing field has no bound. */
export type Budget = {
  roundTrips?: number;
  readUnits?: number;
  writeUnits?: number;
  seconds?: number;
  megabytes?: number;
  commits?: number;
};

/** A measured operation. Units are DynamoDB's consumed capacity; round trips are requests that wait for each other. */
export type BenchRow = {
  operation: string;
  size: string;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  /** Bounds of time, from the request to its end, and of the largest memory of the process. */
  seconds?: number;
  megabytes?: number;
  /** Transactions, and rows written in none: so often the embedded engine waits for the disk. */
  commits?: number;
  /** The records of the page that was read. */
  records?: number;
  /** Milliseconds of processor time without the engine, see `processorMs`. */
  processorMs?: number;
  /** Seconds that the processors worked for the whole measured process. */
  processorSeconds?: number;
  budget: Budget;
  ok: boolean;
  /**
   * A limit of the design that a decision record names: an operation over its budget is shown and does not fail the
   * bench.
   */
  known?: boolean;
};
type Figures = Record<string, string | number | boolean>;
/** @param figures measured beside the rows, without a budget */
export type BenchTable = { title: string; rows: BenchRow[]; ok: boolean; figures?: Figures[] };

/** Prints measurements of other kinds (times, sizes) column by column, without a budget. */
export type PlainTable = { title: string; rows: Figures[]; ok: boolean };

export const isPlain = (table: BenchTable | PlainTable): table is PlainTable =>
  table.rows.every((row) => !('budget' in row));

type Measured = Omit<BenchRow, 'ok'>;

const measures = ['roundTrips', 'readUnits', 'writeUnits', 'seconds', 'megabytes', 'commits'] as const;

export const benchRow = (measured: Measured): BenchRow => ({
  ...measured,
  ok: measures.every((name) => (measured[name] ?? 0) <= (measured.budget[name] ?? Infinity)),
});

export const benchTable = (title: string, rows: BenchRow[], figures: Figures[] = []): BenchTable => ({
  title,
  rows,
  ok: rows.every(({ ok, known }) => ok || known),
  figures,
});

/** Each operation at the largest size beside the smallest with as full a page: what it costs there, divided by what it costs here. */
export function growthOf(rows: readonly BenchRow[]): Figures[] {
  const sizes = [...new Set(rows.map(({ size }) => size))].filter((size) => /^\d+$/.test(size));
  return [...new Set(rows.map(({ operation }) => operation))].flatMap((operation) => {
    const [large, ...smaller] = sizes
      .toReversed()
      .flatMap((size) => rows.filter((row) => row.operation === operation && row.size === size));
    const small = smaller.findLast(({ records }) => records === large?.records);
    if (!large || !small) return [];
    const factor = (of: (row: BenchRow) => number) => (of(large) / of(small)).toFixed(2);
    return {
      operation,
      'from, to': `${small.size}, ${large.size}`,
      'read units': factor(({ readUnits }) => readUnits),
      'ms of processor time': factor(({ processorMs = NaN }) => processorMs),
    };
  });
}

export function printTable({ title, rows, ok, figures = [] }: BenchTable): void {
  const cells = [
    ['operation', 'size', 'trips', 'read', 'write', 'ms', 's', 'MB', 'commits', 'budget', ''],
    ...rows.map((row) => [
      row.operation,
      row.size,
      shown(row.roundTrips),
      shown(row.readUnits),
      shown(row.writeUnits),
      shown(row.processorMs ?? 0),
      shown(row.seconds ?? 0),
      shown(row.megabytes ?? 0),
      shown(row.commits ?? 0),
      budgetText(row.budget),
      row.ok ? 'ok' : row.known ? 'over, known limit' : 'OVER',
    ]),
  ];
  printCells(title, cells);
  const over = rows.filter((row) => !row.ok && !row.known).length;
  const known = rows.filter((row) => !row.ok && row.known).length;
  const limits = known > 0 ? `, ${known} over it by a known limit` : '';
  console.log(`${ok ? 'pass' : 'FAIL'}: ${rows.length - over - known} of ${rows.length} within budget${limits}`);
  const names = Object.keys(figures[0] ?? {});
  if (names.length > 0) printCells('', [names, ...figures.map((row) => names.map((name) => String(row[name])))]);
}

export function printPlain({ title, rows, ok }: PlainTable): void {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'ok');
  const cells = rows.map((row) => [...names.map((name) => String(row[name])), row.ok ? 'ok' : 'OVER']);
  printCells(title, [[...names, ''], ...cells]);
  console.log(`${ok ? 'pass' : 'FAIL'}: ${rows.filter((row) => row.ok).length} of ${rows.length} within budget`);
}

function printCells(title: string, cells: string[][]): void {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of cells) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

const shown = (value: number): string => (value === 0 ? '-' : String(Math.round(value * 1000) / 1000));

const budgetText = ({ roundTrips, readUnits, writeUnits, seconds, megabytes, commits }: Budget): string =>
  [
    roundTrips !== undefined && `${roundTrips} trips`,
    readUnits !== undefined && `${readUnits} read`,
    writeUnits !== undefined && `${writeUnits} write`,
    seconds !== undefined && `${shown(seconds)} s`,
    megabytes !== undefined && `${megabytes} MB`,
    commits !== undefined && `${commits} commits`,
  ]
    .filter(Boolean)
    .join(', ');

const file = fileURLToPath(new URL('results.json', import.meta.url));

/** Replaces one section of bench/results.json and keeps the others. */
export function writeSection(section: string, content: object): void {
  writeFileSync(file, `${JSON.stringify({ ...readSections(), [section]: content }, null, 2)}\n`);
}

function readSections(): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
