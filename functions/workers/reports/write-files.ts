import { PassThrough } from 'node:stream';
import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import { writeFile } from '#shared/platform/runtime/bucket-file.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { tablesOf, textOf } from '#shared/reporting/compose.ts';
import type { Cell, ReportDocument, TableBlock } from '#shared/reporting/document.ts';
import type { Facts } from '#shared/reporting/facts.ts';
import { fileName } from '#shared/reporting/files.ts';
import { writeHtml } from '#shared/reporting/write/html.ts';
import { frozenFile, frozenRows, placeOf } from './freeze.ts';

type Made = { facts: Facts; document: ReportDocument };

/**
 * Writes a report in each format. The same facts give the same files, so that another attempt may write them again. The libraries of
 * workbooks and PDF take memory: they are loaded when a report is written.
 */
export async function writeFiles(context: Context, { facts, document }: Made): Promise<void> {
  const place = placeOf(context, { id: facts.reportId });
  const { bucket, folder } = place;
  const write = (name: string, chunks: AsyncIterable<string | Uint8Array>) => writeFile(bucket, folder + name, chunks);
  const sheets = tablesOf(document).map((block) => ({
    table: block,
    rows: frozenRows(place, facts, block.id) ?? (() => ofDocument(block)),
  }));
  await bucket.put(folder + fileName('json'), JSON.stringify({ facts, document }));
  for (const { table: block, rows } of sheets) await write(fileName('csv', block.id), csvOf(block, rows()));
  if (facts.settings.kind === 'sbom_vex')
    for (const format of facts.isWhole ? (['sbom', 'vex'] as const) : (['vex'] as const))
      await write(fileName(format), await frozenFile(place, facts, format));
  const { workbookOf } = await import('./workbook.ts');
  await write(fileName('xlsx'), workbookOf(sheets, document));
  await bucket.put(folder + fileName('html'), writeHtml(document));
  const { writePdf } = await import('#shared/reporting/write/pdf.ts');
  const pdf = new PassThrough();
  await Promise.all([writePdf(document, pdf), write(fileName('pdf'), pdf)]);
}

async function* ofDocument({ rows }: TableBlock): AsyncGenerator<Cell[]> {
  yield* rows;
}

async function* csvOf({ columns }: TableBlock, rows: AsyncIterable<Cell[]>): AsyncGenerator<string> {
  yield csvHead(columns.map(({ key }) => key));
  for await (const row of rows) yield csvRow(row.map(textOf));
}
