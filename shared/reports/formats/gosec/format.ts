import { defineFormat } from '../../format.ts';

export const gosec = defineFormat({
  id: 'gosec',
  label: 'gosec JSON (-fmt json)',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') &&
    (/"Golang errors"\s*:/.test(head) ||
      (/"Issues"\s*:/.test(head) && /"(?:rule_id|GosecVersion|nosec)"\s*:/.test(head))),
  read: () => import('./read.ts'),
});
