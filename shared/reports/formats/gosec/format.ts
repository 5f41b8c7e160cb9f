import { defineFormat } from '../../readers/format.ts';

export const gosec = defineFormat({
  id: 'gosec',
  label: 'gosec JSON (-fmt json)',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') &&
    (/"Golang errors"\s*:/.test(head) ||
      (/"Issues"\s*:/.test(head) && /"(?:rule_id|GosecVersion|nosec)"\s*:/.test(head))),
  inSarif:
    'Its JSON has absolute paths, which are shortened below the folders of usual build machines alone; elsewhere SARIF, with paths in the tree, gives another finding.',
  read: () => import('./read.ts'),
});
