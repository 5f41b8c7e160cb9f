import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { CSV_COLUMNS } from './columns.ts';

export const gitleaks = defineFormat({
  id: 'gitleaks',
  label: 'Gitleaks JSON or CSV (--report-format json, csv)',
  begins: `[{${CSV_BEGINS}`,
  recognise: (head) =>
    hasCsvHeader(head, ...CSV_COLUMNS) ||
    (/^[[{]/.test(head) &&
      (/"offender"\s*:/.test(head) ||
        (/"RuleID"\s*:/.test(head) && /"Secret"\s*:/.test(head) && /"Entropy"\s*:/.test(head)))),
  whenNothingFound: 'for Gitleaks send [], and name the format',
  read: () => import('./read.ts'),
});
