import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const grype = defineFormat({
  id: 'grype',
  label: 'Grype JSON (-o json)',
  begins: '{',
  recognise: (head) =>
    hasShape(head, 'matches.[].vulnerability', 'matches.[].artifact', 'descriptor.name=grype') ||
    (hasShape(head, 'matches') && hasShape(head, 'source.target', 'distro', 'ignoredMatches', 'descriptor')),
  inSarif:
    'SARIF does not say which advisory of the database of Go is the same problem as one of GitHub: it has a finding of each.',
  read: () => import('./read.ts'),
});
