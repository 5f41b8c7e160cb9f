import type { Column } from '../../readers/csv-header.ts';

/** The columns that each version of the CSV has; a result of the XML is turned into such a row. */
export const CSV_COLUMNS: readonly Column[] = ['IP', 'Port', 'NVT Name', ['NVT OID', 'OID'], 'Severity'];
