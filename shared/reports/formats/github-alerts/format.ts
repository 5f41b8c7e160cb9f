import { defineFormat } from '../../format.ts';
import { hasShape } from '../../shape.ts';

export const githubAlerts = defineFormat({
  id: 'github-alerts',
  label: "GitHub's vulnerability alerts of Dependabot (REST list, GraphQL answer)",
  begins: '{[',
  recognise: (head) =>
    /"vulnerabilityAlerts"/.test(head)
      ? hasShape(head, 'data', '[].data')
      : hasShape(head, '[].security_advisory', '[].security_vulnerability', '[].[].security_advisory'),
  read: () => import('./read.ts'),
});
