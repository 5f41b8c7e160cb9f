import exceljs from 'exceljs';
import { afterEach, expect, test, vi } from 'vitest';
import { workbookOf } from '#functions/workers/reports/workbook.ts';
import type { Cell, TableBlock } from '#shared/reporting/document.ts';
import { exampleReport } from '#test/shared/reporting/example.ts';

const columns: TableBlock['columns'] = [{ key: 'title', label: 'Title', align: 'left', share: 1 }];
const tableNamed = (title: string): TableBlock => ({
  block: 'table',
  id: 'a',
  title,
  columns,
  rows: [],
  empty: 'None.',
  total: 0,
});

async function* rows(): AsyncGenerator<Cell[]> {
  yield ['=HYPERLINK("http://evil.example")'];
  yield [{ text: 'x'.repeat(40_000), link: 'https://example.com' }];
  yield [7];
  yield [null];
}

async function bytesOf(): Promise<Buffer> {
  const title = 'A title of a table that is longer than a sheet takes: a/b';
  const sheets = [tableNamed(title), tableNamed(title)].map((table) => ({ table, rows }));
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbookOf(sheets, exampleReport({ asOf: '2026-11-29T08:00:00.000Z' }))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

afterEach(() => void vi.useRealTimers());

test('a workbook has every row as a text or a number, never a formula, and the same bytes each time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-29T09:00:00Z') });
  const bytes = await bytesOf();
  vi.setSystemTime('2027-01-01T00:00:00Z');
  expect((await bytesOf()).equals(bytes)).toBe(true);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as never);
  expect(new Set(workbook.worksheets.map(({ name }) => name)).size).toBe(2);
  const [sheet] = workbook.worksheets;
  expect(sheet?.getCell('A2').type).toBe(exceljs.ValueType.String);
  expect(sheet?.getCell('A2').value).toBe('=HYPERLINK("http://evil.example")');
  expect(String(sheet?.getCell('A3').value)).toHaveLength(32_767);
  expect(sheet?.getCell('A4').value).toBe(7);
});
