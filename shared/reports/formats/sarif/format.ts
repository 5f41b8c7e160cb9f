import { defineFormat } from '../../readers/format.ts';

export const sarif = defineFormat({
  id: 'sarif',
  label: 'SARIF 2.1.0, which many tools write (CodeQL, and `snyk code test --json` too)',
  begins: '{',
  recognise: (head) =>
    head.startsWith('{') && (/"\$schema"\s*:\s*"[^"]*sarif/i.test(head) || /^\{[^{}[\]]*"runs"\s*:\s*\[/.test(head)),
  read: () => import('./read.ts'),
});
