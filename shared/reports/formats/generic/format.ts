import { CSV_BEGINS } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { COLUMNS } from './columns.ts';

export const generic = defineFormat({
  id: 'generic',
  label: 'the generic JSON or CSV of docs/generic-report.md, for tools without a format of their own',
  begins: `{${CSV_BEGINS}`,
  recognise: (head) =>
    /^\{[^[]{0,2000}"findings"\s*:\s*\[\s*(?:\]|\{[^{}[\]]{0,8000}"title"\s*:)/.test(head) || hasOnlyItsColumns(head),
  whenNothingFound: '{"findings": []}, or the header of the CSV alone',
  read: () => import('./read.ts'),
});

function hasOnlyItsColumns(head: string): boolean {
  const line = /^[^\r\n{<[]{1,2000}/.exec(head)?.[0] ?? '';
  const cells = line.split(/[,;\t]/).map((cell) => cell.replaceAll('"', '').trim().toLowerCase());
  return cells.includes('title') && cells.includes('severity') && cells.every((cell) => COLUMNS.has(cell));
}
