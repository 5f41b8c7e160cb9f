import { readFileSync } from 'node:fs';
import * as z from 'zod';

const results = new URL('../bench/results.json', import.meta.url);

const Row = z.looseObject({
  operation: z.string(),
  size: z.string().optional(),
  records: z.number().optional(),
  readUnits: z.number().optional(),
  processorMs: z.number().optional(),
});
const Sections = z.record(z.string(), z.object({ rows: z.array(Row) }));
type Row = z.infer<typeof Row>;

/** A factor above this is over the promise that any page costs the same. */
const MAX_FACTOR = 1.3;

/** `docs/figures.md`: what reads cost among a thousand and among a million records, from bench/results.json. */
export function figuresDocument(): string {
  const sections = Sections.parse(JSON.parse(readFileSync(results, 'utf8')));
  const rowsOf = (bench: string) => (sections[bench]?.rows ?? []).filter(({ size }) => /^\d+$/.test(size ?? ''));
  return `# What a read costs among more records

Made by \`npm run docs\` from \`bench/results.json\`. Units are DynamoDB's read units. Milliseconds are processor time of the service without the engine.
The factor is that of the units, then that of the milliseconds, between the first size with as many records on its page as the last has, and the last.
**Bold** is over ${MAX_FACTOR}. A page of fewer records says how many it has.

A page reads 25 records and a part of the index: counts of blocks of records, and for each condition a row of bits for 4,320 records. Among
a thousand records one row answers a condition; among a million a frequent value has 232 rows. What is left of that is in the table: one condition
stays below 25 read units, and several frequent values at once below 110. Each row is read once.

## Lists and searches

\`npm run bench -- store-full\` fills an organization with so many exposures. The milliseconds are processor time, in the mean of
40 runs, with the settings of memory that a function of the cloud has.

${growthTable(rowsOf('store-full'))}
## Dashboards

\`npm run bench -- dashboards\`. A dashboard reads counters, and no records.

${growthTable(rowsOf('dashboards'))}
## Pages over HTTP

\`npm run bench -- page-growth\`: the whole way of a request, with the check of the answer.

${plainTable(sections['page-growth']?.rows ?? [])}
## Beside DefectDojo

Compared from outside on two cores, alternating, with the same reports (2026-11-26). No command here repeats the comparison; the commands above show our figures.

| | this service | DefectDojo |
|---|---|---|
| the first import | 8.9 to 9.3 times as fast | 1 |
| the same import again | 4.7 to 5.3 times as fast; two to three times faster since ([0081](decisions/0081-the-same-report-is-not-read-again.md)), not compared again | 1 |
| a list | 8 to 11 times as fast | 1 |
| idle | 0.035 cores; 0.003 since queues wake their pollers ([0074](decisions/0074-workers-beside-the-server.md)), not compared again | 0.004 cores |
`;
}

function growthTable(rows: readonly Row[]): string {
  const sizes = [...new Set(rows.map(({ size = '' }) => size))];
  const names = [...new Set(rows.map(({ operation }) => operation))];
  const at = (operation: string) =>
    sizes.map((size) => rows.find((row) => row.operation === operation && row.size === size));
  const lines = names.flatMap((name) => lineOf(name, at(name)));
  return tableOf(['', ...sizes.map((size) => Number(size).toLocaleString('en')), 'factor'], lines);
}

function lineOf(name: string, rows: readonly (Row | undefined)[]): string[][] {
  const measured = rows.filter((row) => row?.readUnits);
  if (measured.length < rows.length) return [];
  const last = rows.at(-1);
  const first = rows.find((row) => row?.records === last?.records);
  const factor = (of: (row: Row | undefined) => number) => of(last) / of(first);
  const units = factor((row) => row?.readUnits ?? Number.NaN);
  const time = factor((row) => row?.processorMs ?? Number.NaN);
  return [
    [name, ...rows.map((row) => cellOf(row, last)), [units, time].filter(Number.isFinite).map(factorText).join(', ')],
  ];
}

const cellOf = (row: Row | undefined, last: Row | undefined): string => {
  const ms = row?.processorMs === undefined ? '' : `, ${row.processorMs.toFixed(1)} ms`;
  const records = row?.records === last?.records ? '' : ` (${row?.records})`;
  return `${row?.readUnits ?? 0}${ms}${records}`;
};

const factorText = (factor: number): string => (factor > MAX_FACTOR ? `**${factor.toFixed(1)}**` : factor.toFixed(1));

function plainTable(rows: readonly Row[]): string {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'ok');
  return tableOf(
    names.map((name) => (name === 'operation' ? '' : name)),
    rows.map((row) => names.map((name) => String(row[name]))),
  );
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => '---'), ...lines];
  return `${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
