import { PassThrough } from 'node:stream';
import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import { writeFile } from '#shared/platform/runtime/bucket-file.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { pageIn, tablesOf, textOf } from '#shared/reporting/compose.ts';
import type { Counting } from '#shared/reporting/counting.ts';
import type { Cell, ReportDocument, TableBlock } from '#shared/reporting/document.ts';
import type { Facts } from '#shared/reporting/facts.ts';
import { fileName } from '#shared/reporting/files.ts';
import { sectionsOf } from '#shared/reporting/kinds.ts';
import { reportFolder } from '#shared/reporting/report.ts';
import { writeHtml } from '#shared/reporting/write/html.ts';
import { writePdf } from '#shared/reporting/write/pdf.ts';
import { sbomOf, vexOf } from './package-files.ts';
import { workbookOf } from './workbook.ts';

type Made = { facts: Facts; document: ReportDocument; counting: Counting };

/** Writes a report in each format. The same facts give the same files, so that another attempt may write them again. */
export async function writeFiles({ connections, table }: Context, made: Made): Promise<void> {
  const { facts, document, counting } = made;
  const folder = reportFolder(table.organizationId, facts.reportId);
  const write = (name: string, chunks: AsyncIterable<string | Uint8Array>) =>
    writeFile(connections.bucket, folder + name, chunks);
  const sheets = tablesOf(document).map((block) => ({ table: block, rows: () => rowsOf(block, made) }));
  await connections.bucket.put(folder + fileName('json'), JSON.stringify({ facts, document }));
  for (const { table: block, rows } of sheets) await write(fileName('csv', block.id), csvOf(block, rows()));
  if (facts.settings.kind === 'sbom_vex') {
    if (!counting.table.part) await write(fileName('sbom'), sbomOf(facts, counting));
    await write(fileName('vex'), vexOf(facts, counting));
  }
  await write(fileName('xlsx'), workbookOf(sheets, document));
  await connections.bucket.put(folder + fileName('html'), writeHtml(document));
  const pdf = new PassThrough();
  await Promise.all([writePdf(document, pdf), write(fileName('pdf'), pdf)]);
}

/** All rows of a table: those of the document, or more where pages show the first of many. */
function rowsOf(block: TableBlock, { facts, counting }: Made): AsyncIterable<Cell[]> {
  const { kind, language } = facts.settings;
  const all = sectionsOf(kind).find(([, { rows }]) => rows?.[block.id])?.[1].rows?.[block.id];
  const page = pageIn(language, counting.connections.settings.BASE_URL);
  return all ? all(counting, page) : ofDocument(block);
}

async function* ofDocument({ rows }: TableBlock): AsyncGenerator<Cell[]> {
  yield* rows;
}

async function* csvOf({ columns }: TableBlock, rows: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield csvHead(columns.map(({ key }) => key));
  for await (const row of rows) yield csvRow(row.map(textOf));
}
