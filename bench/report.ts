import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Upper bounds; what is missing is not bounded. */
export type Budget = { roundTrips?: number; readUnits?: number; writeUnits?: number };

/** One operation measured. Units are DynamoDB's consumed capacity, round trips are requests that wait for each other. */
export type BenchRow = {
  operation: string;
  size: string;
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
  budget: Budget;
  ok: boolean;
  /** A limit of the design that a decision record names: being over budget here is shown, and fails nothing. */
  known?: boolean;
};
export type BenchTable = { title: string; rows: BenchRow[]; ok: boolean };

export type Measured = Pick<
  BenchRow,
  'operation' | 'size' | 'roundTrips' | 'readUnits' | 'writeUnits' | 'budget' | 'known'
>;

export const benchRow = (measured: Measured): BenchRow => {
  const { roundTrips = Infinity, readUnits = Infinity, writeUnits = Infinity } = measured.budget;
  const ok = measured.roundTrips <= roundTrips && measured.readUnits <= readUnits && measured.writeUnits <= writeUnits;
  return { ...measured, ok };
};

export const benchTable = (title: string, rows: BenchRow[]): BenchTable => ({
  title,
  rows,
  ok: rows.every(({ ok, known }) => ok || known),
});

export function printTable({ title, rows, ok }: BenchTable): void {
  const cells = [
    ['operation', 'size', 'trips', 'read', 'write', 'budget', ''],
    ...rows.map((row) => [
      row.operation,
      row.size,
      shown(row.roundTrips),
      shown(row.readUnits),
      shown(row.writeUnits),
      budgetText(row.budget),
      row.ok ? 'ok' : row.known ? 'over, known limit' : 'OVER',
    ]),
  ];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of cells) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const over = rows.filter((row) => !row.ok && !row.known).length;
  const known = rows.filter((row) => !row.ok && row.known).length;
  const limits = known > 0 ? `, ${known} over it by a known limit` : '';
  console.log(`${ok ? 'pass' : 'FAIL'}: ${rows.length - over - known} of ${rows.length} within budget${limits}`);
}

const shown = (value: number): string => (value === 0 ? '-' : String(Math.round(value * 1000) / 1000));

const budgetText = ({ roundTrips, readUnits, writeUnits }: Budget): string =>
  [
    roundTrips !== undefined && `${roundTrips} trips`,
    readUnits !== undefined && `${readUnits} read`,
    writeUnits !== undefined && `${writeUnits} write`,
  ]
    .filter(Boolean)
    .join(', ');

const file = fileURLToPath(new URL('results.json', import.meta.url));

/** Puts one section into bench/results.json and leaves the others. */
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
