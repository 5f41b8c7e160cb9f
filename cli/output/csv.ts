import { csvHead, csvRow } from '../../shared/platform/exports/csv-row.ts';
import { valueAt } from '../records/values.ts';

/**
 * A list as CSV, page by page. Without chosen columns it has the fields of the records of the first page, with those of an
 * object in a field (`asset.name`): the service answers the same fields for each record of a list.
 */
export function csvPages(chosen: readonly string[] = []): (records: readonly object[]) => string {
  let known: readonly string[] | undefined;
  return (records) => {
    if (records.length === 0) return '';
    const columns = known ?? (chosen.length > 0 ? chosen : columnsOf(records));
    const head = known ? '' : csvHead(columns);
    known = columns;
    return head + records.map((record) => csvRow(columns.map((column) => valueAt(record, column)))).join('');
  };
}

const columnsOf = (records: readonly object[]): string[] => [...new Set(records.flatMap(fieldsOf))].filter(isNoPrefix);

const fieldsOf = (record: object): string[] =>
  Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : name,
  );

/** A field that is null in one record and an object in another has the columns of the object. */
const isNoPrefix = (column: string, _: number, all: readonly string[]): boolean =>
  !all.some((other) => other.startsWith(`${column}.`));
