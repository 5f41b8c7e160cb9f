import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { CODE_SCANNING, SECRET_SCANNING } from './shapes.ts';

export const githubAlerts = defineFormat({
  id: 'github-alerts',
  label:
    "GitHub's alerts of Dependabot (REST list, GraphQL answer), of code scanning and of secret scanning (REST lists)",
  begins: '{[',
  recognise: (head) =>
    /"vulnerabilityAlerts"/.test(head)
      ? hasShape(head, 'data', '[].data')
      : hasShape(
          head,
          ...CODE_SCANNING,
          ...SECRET_SCANNING,
          '[].security_advisory',
          '[].security_vulnerability',
          '[].[].security_advisory',
        ),
  read: () => import('./read.ts'),
});
