import { defineFormat } from '../../readers/format.ts';
import { isJudged } from '../../readers/rules-judged.ts';

export const kubescape = defineFormat({
  id: 'kubescape',
  label: 'Kubescape JSON (--format json)',
  begins: '{[',
  recognise: (head) =>
    /^[[{]/.test(head) &&
    (/"controlReports"\s*:\s*\[/.test(head) ||
      /"summaryDetails"\s*:/.test(head) ||
      (/"clusterAPIServerInfo"\s*:/.test(head) && /"customerGUID"\s*:/.test(head))),
  wasLookedFor: isJudged,
  read: () => import('./read.ts'),
});
