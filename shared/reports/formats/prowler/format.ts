import { CSV_BEGINS, hasCsvHeader } from '../../readers/csv-header.ts';
import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { CSV_COLUMNS } from './columns.ts';

export const prowler = defineFormat({
  id: 'prowler',
  label: 'Prowler (CSV, JSON and JSON lines of versions 2 and 3, OCSF JSON from version 3)',
  begins: `[{${CSV_BEGINS}`,
  recognise: (head) => hasCsvHeader(head, ...CSV_COLUMNS) || isProwlerOcsf(head) || isProwlerJson(head),
  whenNothingFound: 'for Prowler send its JSON or CSV with the checks that passed',
  namesTargets: true,
  read: () => import('./read.ts'),
});

/** An array, or JSON lines. */
const hasKey = (head: string, ...keys: string[]): boolean => hasShape(head, ...keys, ...keys.map((key) => `[].${key}`));

const isProwlerJson = (head: string): boolean =>
  (hasKey(head, 'CheckID') && hasKey(head, 'StatusExtended', 'FindingUniqueId')) ||
  (hasKey(head, 'Account Number') && hasKey(head, 'Control'));

/** This reader reads Prowler's OCSF, like its other reports, so that a check is one finding in all of them. */
export const isProwlerOcsf = (head: string): boolean =>
  hasKey(
    head,
    'metadata.product.name=Prowler',
    'metadata.product.vendor_name=Prowler',
    'finding_info.product_uid=prowler',
  );
