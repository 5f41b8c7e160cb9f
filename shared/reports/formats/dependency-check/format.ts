import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const dependencyCheck = defineFormat({
  id: 'dependency-check',
  label: 'OWASP Dependency-Check XML or JSON',
  begins: '<{',
  recognise: (head) =>
    /<analysis\b[^<>]{0,300}\bdependency-check\b/i.test(head) ||
    (head.startsWith('{') &&
      (hasShape(head, 'scanInfo.engineVersion') ||
        (hasShape(head, 'dependencies.[].filePath') && hasShape(head, 'dependencies.[].evidenceCollected')))),
  read: () => import('./read.ts'),
});
