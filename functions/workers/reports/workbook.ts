import { PassThrough } from 'node:stream';
import exceljs from 'exceljs';
import { textOf } from '#shared/reporting/compose.ts';
import type { Cell, ReportDocument, TableBlock } from '#shared/reporting/document.ts';
import { legible } from '#shared/reporting/write/palette.ts';

type Look = Pick<ReportDocument, 'asOf' | 'title' | 'classification' | 'brand'>;

type Sheet = { table: TableBlock; rows: () => AsyncIterable<Cell[]> };

/** Dates of the parts of the file are those of the facts, so that the same facts give the same bytes. */
class DatedWriter extends exceljs.stream.xlsx.WorkbookWriter {
  override addThemes(): Promise<void> {
    const { zip, created } = this as unknown as { zip: Zip; created: Date };
    const append = zip.append.bind(zip);
    zip.append = (source, data) => append(source, { ...data, date: created });
    return super.addThemes();
  }
}
type Zip = { append: (source: unknown, data: object) => unknown };

/** A workbook with a sheet for each table, written row by row. A text is never a formula: it is stored as a text. */
export function workbookOf(sheets: readonly Sheet[], look: Look): AsyncIterable<Uint8Array> {
  const stream = new PassThrough();
  const created = new Date(look.asOf);
  // `creator` would name the library
  const named = { created, modified: created, creator: '', lastModifiedBy: '' };
  const workbook = new DatedWriter({ stream, useStyles: true, useSharedStrings: false, ...named } as never);
  writeSheets(workbook, sheets, look).catch((error) => stream.destroy(error));
  return stream;
}

async function writeSheets(workbook: DatedWriter, sheets: readonly Sheet[], look: Look): Promise<void> {
  const fill = {
    type: 'pattern',
    pattern: 'solid',
    fgColor: { argb: argbOf(legible(look.brand.colour, '#ffffff')) },
  } as const;
  const used = new Set<string>();
  for (const { table, rows } of sheets) {
    const frame = { views: [{ state: 'frozen' as const, ySplit: 1 }], headerFooter: onPaper(look) };
    const sheet = workbook.addWorksheet(sheetName(table.title, used), frame);
    sheet.columns = table.columns.map(({ key, label, share }) => ({
      key,
      header: label,
      width: Math.max(10, share * 140),
    }));
    sheet.getRow(1).font = { bold: true, color: { argb: argbOf('#ffffff') } };
    sheet.getRow(1).fill = fill;
    for await (const row of rows()) sheet.addRow(row.map(valueIn)).commit();
    await sheet.commit();
  }
  await workbook.commit();
}

const argbOf = (colour: string): string => `FF${colour.slice(1).toUpperCase()}`;

/** The head and the foot of each sheet on paper. `&` begins a code. */
function onPaper({ title, classification, brand }: Look) {
  const said = (text: string) => text.replaceAll('&', '&&');
  const footer = said((brand.footer ?? brand.organization).slice(0, 100));
  return {
    oddHeader: `&L${said(title.slice(0, 100))}&R${said(classification ?? '')}`,
    oddFooter: `&L${footer}&R&P / &N`,
  };
}

/** A cell of a workbook has at most 32,767 characters. */
const MAX_TEXT = 32_767;

function valueIn(cell: Cell): string | number | null {
  const value = textOf(cell);
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : value;
}

/** A name has at most 31 characters and none of some signs, and no other sheet has it. */
function sheetName(title: string, used: Set<string>): string {
  const plain =
    title
      .replace(/[[\]:*?/\\']/g, ' ')
      .slice(0, 31)
      .trim() || 'Sheet';
  const name = used.has(plain) ? `${plain.slice(0, 28)} ${used.size}` : plain;
  used.add(name);
  return name;
}
