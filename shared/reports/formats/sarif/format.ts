import { defineFormat } from '../../format.ts';

export const sarif = defineFormat({
  id: 'sarif',
  label: 'SARIF 2.1.0',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') && (/"\$schema"\s*:\s*"[^"]*sarif/i.test(head) || /^\{[^{}[\]]*"runs"\s*:\s*\[/.test(head)),
  read: () => import('./read.ts'),
});
