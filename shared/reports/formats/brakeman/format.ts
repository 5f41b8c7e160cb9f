import { defineFormat } from '../../readers/format.ts';

export const brakeman = defineFormat({
  id: 'brakeman',
  label: 'Brakeman JSON (-f json)',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') &&
    (/"(?:brakeman_version|rails_version)"\s*:/.test(head) ||
      (/"warning_type"\s*:/.test(head) && /"check_name"\s*:/.test(head) && /"fingerprint"\s*:/.test(head))),
  read: () => import('./read.ts'),
});
