import type { RecordsFile } from '#shared/platform/exports/records-file.ts';
import { valueAt } from './file.ts';

/** A record a line, whole as its `GET` by id answers it, or an object of the columns. */
export const jsonLinesFile = ({ columns }: { columns?: readonly string[] | undefined }): RecordsFile => ({
  head: '',
  add(place, record) {
    place.entries += 1;
    const entries = columns?.map((column) => [column, valueAt(record, column) ?? null]);
    return `${JSON.stringify(entries ? Object.fromEntries(entries) : record)}\n`;
  },
  foot: () => '',
});
