import { defineFormat } from '../../readers/format.ts';
import { isPackageJudged } from '../../readers/rules-judged.ts';
import { hasShape } from '../../readers/shape.ts';

export const pipAudit = defineFormat({
  id: 'pip-audit',
  label: 'pip-audit JSON (-f json)',
  begins: '{[',
  recognise: (head) =>
    hasShape(head, 'dependencies.[].vulns', 'dependencies.[].skip_reason', '[].vulns', '[].skip_reason') ||
    /^\{\s*"dependencies"\s*:\s*\[\s*\]\s*(?:,\s*"fixes"|\}\s*$)/.test(head),
  wasLookedFor: isPackageJudged,
  read: () => import('./read.ts'),
});
