import { defineFormat } from '../../format.ts';

export const kubeBench = defineFormat({
  id: 'kube-bench',
  label: 'kube-bench JSON (--json)',
  begins: '{[',
  recognise: (head) =>
    /^[[{]/.test(head) && /"node_type"\s*:/.test(head) && /"(?:tests|test_number|total_pass)"\s*:/.test(head),
  read: () => import('./read.ts'),
});
