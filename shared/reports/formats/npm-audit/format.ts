import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const npmAudit = defineFormat({
  id: 'npm-audit',
  label: 'npm audit --json (each version of npm), pnpm audit --json',
  begins: '{',
  recognise: (head) => hasShape(head, 'auditReportVersion') || isNpm6(head),
  read: () => import('./read.ts'),
});

/** Yarn 2 and 3 and pnpm write the same. */
export const isNpm6 = (head: string): boolean =>
  hasShape(head, 'advisories.*.module_name', 'actions.[].resolves') ||
  (hasShape(head, 'advisories') && hasShape(head, 'metadata.vulnerabilities', 'metadata.totalDependencies', 'muted'));
