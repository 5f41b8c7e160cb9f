import { CSV_BEGINS, hasCsvHeader } from '../../csv-header.ts';
import { defineFormat } from '../../format.ts';
import { CSV_COLUMNS } from './columns.ts';

export const prowler = defineFormat({
  id: 'prowler',
  label: 'Prowler (CSV, JSON and JSON lines of versions 2 and 3, OCSF JSON from version 3)',
  begins: `[{${CSV_BEGINS}`,
  recognise: (head) =>
    hasCsvHeader(head, ...CSV_COLUMNS) ||
    (/^[[{]/.test(head) &&
      (isProwlerOcsf(head) ||
        (/"CheckID"\s*:/.test(head) && /"(?:StatusExtended|FindingUniqueId)"\s*:/.test(head)) ||
        (/"Account Number"\s*:/.test(head) && /"Control"\s*:/.test(head)))),
  whenNothingFound: 'for Prowler send its JSON or CSV with the checks that passed',
  namesTargets: true,
  read: () => import('./read.ts'),
});

/** Prowler's OCSF is read here, as its other reports are, so that a check is one finding in all of them. */
export const isProwlerOcsf = (head: string): boolean =>
  /"(?:class_uid|finding_info|event_code|severity_id)"\s*:/.test(head) &&
  /"(?:name|vendor_name|product_uid)"\s*:\s*"prowler"/i.test(head);
