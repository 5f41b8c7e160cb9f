import { defineFormat } from '../../format.ts';
import { hasShape } from '../../shape.ts';
import { CODE_SCANNING } from './shapes.ts';

export const githubAlerts = defineFormat({
  id: 'github-alerts',
  label: "GitHub's alerts of Dependabot (REST list, GraphQL answer) and of code scanning (REST list)",
  begins: '{[',
  recognise: (head) =>
    /"vulnerabilityAlerts"/.test(head)
      ? hasShape(head, 'data', '[].data')
      : hasShape(
          head,
          ...CODE_SCANNING,
          '[].security_advisory',
          '[].security_vulnerability',
          '[].[].security_advisory',
        ),
  read: () => import('./read.ts'),
});
