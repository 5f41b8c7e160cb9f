import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';
import { isNpm6 } from '../npm-audit/format.ts';
import { isByPackage } from './shapes.ts';

export const yarnAudit = defineFormat({
  id: 'yarn-audit',
  label: 'yarn audit --json (Yarn 1), yarn npm audit --json (since Yarn 2), bun audit --json',
  begins: '{',
  recognise: (head) =>
    hasShape(head, 'type=auditAdvisory', 'type=auditSummary') ||
    isByPackage(head) ||
    (hasShape(head, 'children.Severity') && hasShape(head, 'children.Issue')),
  // Yarn 2 and 3 pass on the registry's answer, as npm 6 does: without a name such a report counts as npm's.
  alsoReads: isNpm6,
  whenNothingFound: 'for Yarn 4 send {"advisories": {}, "metadata": {"vulnerabilities": {}}} as yarn-audit',
  read: () => import('./read.ts'),
});
