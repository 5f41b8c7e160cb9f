import { csvHead, csvRow } from '#shared/platform/exports/csv-row.ts';
import { USUAL_COLUMNS } from '#shared/platform/exports/export.ts';
import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import { valueAt } from './file.ts';

/** A CSV in UTF-8; the first row has the column names. */
export const csvFile = ({ columns = USUAL_COLUMNS }: { columns?: readonly string[] }): RecordsFile => ({
  head: csvHead(columns),
  add(place, record) {
    place.entries += 1;
    return csvRow(columns.map((column) => valueAt(record, column)));
  },
  foot: () => '',
});
