import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { readReport } from '#shared/reports/formats/read.ts';
import { ReportError, type ReportFinding } from '#shared/reports/report/report.ts';
import { differences } from './corpus-differences.ts';

/**
 * `npm run corpus -- <folder>`: reads real reports and compares the numbers of their findings with those of another
 * importer. `corpus.json` in the folder lists them: [{format, file, bytes, expectedFindings}]. Exits with 1 when a file
 * cannot be read, takes too long, or differs without a reason in corpus-differences.ts.
 */
type Listed = { format: string; file: string; bytes: number; expectedFindings: number };
type Row = Listed & { raw: number; merged: number; rejected: number; ms: number; problem?: string };

/** For a file under 1 MB. */
const MAX_MS = 2000;

async function readListed(folder: string, listed: Listed): Promise<Row> {
  const bytes = readFileSync(join(folder, listed.file));
  const row: Row = { ...listed, raw: 0, merged: 0, rejected: 0, ms: 0 };
  const problems = new Set<string>();
  const start = nowMs();
  try {
    const open = async function* () {
      yield bytes;
    };
    for await (const event of readReport('auto', open)) {
      if (event.kind === 'rejected') row.rejected += 1;
      if (event.kind !== 'finding') continue;
      row.raw += 1;
      problems.add(identityOf(event.finding));
    }
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    row.problem = `${error.code}: ${error.message}`;
  }
  return { ...row, merged: problems.size, ms: nowMs() - start };
}

const identityOf = ({ asset, identity }: ReportFinding): string => JSON.stringify([asset, identity]);

/** A refusal is right where a reason is given: the tool writes an empty file when it finds nothing. */
function faultOf({ file, bytes, expectedFindings, merged, rejected, ms, problem }: Row): string | undefined {
  if (ms > MAX_MS && bytes < 1e6) return `TOO SLOW: ${ms} ms`;
  if (reasonOf(file)) return undefined;
  if (problem) return `NOT READ: ${problem}`;
  if (rejected > 0) return `REJECTED ${rejected} entries without a reason`;
  return merged === expectedFindings ? undefined : 'DIFFERS without a reason';
}

const reasonOf = (file: string): string | undefined => differences[file.replace(/^reports\//, '')];

const [folder = '../shared/corpus'] = process.argv.slice(2);
const listed: Listed[] = JSON.parse(readFileSync(join(folder, 'corpus.json'), 'utf8'));
let failures = 0;
let format = '';
for (const one of listed) {
  const row = await readListed(folder, one);
  const fault = faultOf(row);
  if (fault) failures += 1;
  if (row.format !== format)
    console.log(`\n${row.format}${' '.repeat(Math.max(1, 60 - row.format.length))} raw merged other   ms`);
  format = row.format;
  const counts = [row.raw, row.merged, row.expectedFindings].map((count) => String(count).padStart(5)).join(' ');
  console.log(
    `  ${(row.file.split('/').at(-1) ?? '').padEnd(58)}${counts} ${String(row.ms).padStart(5)} ${fault ?? reasonOf(row.file) ?? ''}`,
  );
}
console.log(`\n${listed.length - failures} of ${listed.length} files are as they should be.`);
process.exitCode = failures > 0 ? 1 : 0;
