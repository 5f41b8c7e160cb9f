import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { xmlRoot } from '../../readers/xml-root.ts';
import { CSV_COLUMNS } from './columns.ts';

export const nessus = defineFormat({
  id: 'nessus',
  label: 'Nessus or Tenable (.nessus, CSV of Nessus, Tenable Security Center and Vulnerability Management)',
  begins: `<${CSV_BEGINS}`,
  recognise: (head) => xmlRoot(head) === 'NessusClientData_v2' || hasCsvHeader(head, ...CSV_COLUMNS),
  namesTargets: true,
  read: () => import('./read.ts'),
});
