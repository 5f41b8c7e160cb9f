import { defineFormat } from '../../readers/format.ts';
import { isPortLookedFor } from '../../readers/ports-looked.ts';
import { xmlRoot } from '../../readers/xml-root.ts';

export const sslscan = defineFormat({
  id: 'sslscan',
  label: 'sslscan XML (--xml)',
  begins: '<',
  recognise: (head) => xmlRoot(head) === 'document' && /<document\s[^<>]{0,300}SSLScan|<ssltest\s/i.test(head),
  namesTargets: true,
  wasLookedFor: isPortLookedFor,
  read: () => import('./read.ts'),
});
