import { defineFormat } from '../../readers/format.ts';

export const kubeBench = defineFormat({
  id: 'kube-bench',
  label: 'kube-bench JSON (--json)',
  begins: '{[',
  recognise: (head) => /^[[{]/.test(head) && SIGNS.some((signs) => signs.every((sign) => sign.test(head))),
  read: () => import('./read.ts'),
});

const SIGNS = [
  [/"node_type"\s*:/, /"(?:tests|total_pass)"\s*:/],
  [/"test_number"\s*:/, /"test_desc"\s*:/],
];
