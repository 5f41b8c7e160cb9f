import { defineFormat } from '../../format.ts';

export const kubescape = defineFormat({
  id: 'kubescape',
  label: 'Kubescape JSON (--format json)',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') &&
    (/"summaryDetails"\s*:/.test(head) || (/"clusterAPIServerInfo"\s*:/.test(head) && /"customerGUID"\s*:/.test(head))),
  read: () => import('./read.ts'),
});
