import { defineFormat } from '../../readers/format.ts';
import { wasLookedFor } from './proof.ts';

export const nmap = defineFormat({
  id: 'nmap',
  label: 'Nmap XML (-oX)',
  begins: '<',
  recognise: (head) => head.startsWith('<') && /<nmaprun[\s>]/.test(head),
  namesTargets: true,
  wasLookedFor,
  read: () => import('./read.ts'),
});
