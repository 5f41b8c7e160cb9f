import type { Column } from '../../readers/csv-header.ts';

/** The columns of each version of the CSV; the reader turns a result of the XML into such a row. */
export const CSV_COLUMNS: readonly Column[] = ['IP', 'Port', 'NVT Name', ['NVT OID', 'OID'], 'Severity'];
