import { defineFormat } from '../../format.ts';
import { isProwlerOcsf } from '../prowler/format.ts';

export const ocsf = defineFormat({
  id: 'ocsf',
  label: 'OCSF findings (JSON or JSON lines: detection, compliance, vulnerability, security finding)',
  begins: '[{',
  recognise: (head) =>
    /^[[{]/.test(head) &&
    /"class_uid"\s*:\s*20\d\d\b/.test(head) &&
    /"(?:severity_id|metadata|finding_info|activity_id|type_uid)"\s*:/.test(head) &&
    !isProwlerOcsf(head),
  read: () => import('./read.ts'),
});
