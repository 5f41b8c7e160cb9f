import type { ExportInput } from '#shared/findings/export.ts';
import { type FindingsFile, valueAt } from './file.ts';

/** A finding a line, whole as `GET /api/v1/findings/{id}` answers it, or an object of the columns. */
export const jsonLinesFile = ({ columns }: Pick<ExportInput, 'columns'>): FindingsFile => ({
  head: '',
  add(place, finding) {
    place.entries += 1;
    const entries = columns?.map((column) => [column, valueAt(finding, column) ?? null]);
    return `${JSON.stringify(entries ? Object.fromEntries(entries) : finding)}\n`;
  },
  foot: () => '',
});
