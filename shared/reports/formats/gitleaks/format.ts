import { defineFormat } from '../../format.ts';

export const gitleaks = defineFormat({
  id: 'gitleaks',
  label: 'Gitleaks JSON (--report-format json)',
  begins: '[{n',
  recognise: (head) =>
    /^[[{]/.test(head) &&
    (/"offender"\s*:/.test(head) ||
      (/"RuleID"\s*:/.test(head) && /"Secret"\s*:/.test(head) && /"Entropy"\s*:/.test(head))),
  whenNothingFound: 'for Gitleaks send [], and name the format',
  read: () => import('./read.ts'),
});
