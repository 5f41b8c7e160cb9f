import { defineFormat } from '../../readers/format.ts';
import { xmlRoot } from '../../readers/xml-root.ts';

export const burp = defineFormat({
  id: 'burp',
  label: 'Burp Suite XML (Report issues, XML)',
  begins: '<',
  recognise: (head) => xmlRoot(head) === 'issues' && /<issues\s[^<>]{0,300}\b(?:burpVersion|exportTime)=/.test(head),
  read: () => import('./read.ts'),
});
