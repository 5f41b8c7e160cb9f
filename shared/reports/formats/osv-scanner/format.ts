import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const osvScanner = defineFormat({
  id: 'osv-scanner',
  label: 'OSV-Scanner JSON (--format json)',
  begins: '{',
  recognise: (head) =>
    hasShape(head, 'results.[].packages.[].package', 'results.[].source.path') ||
    (hasShape(head, 'results') && hasShape(head, 'experimental_config', 'license_summary', 'image_metadata')),
  whenNothingFound: 'for OSV-Scanner send {"results": [], "experimental_config": {}}',
  read: () => import('./read.ts'),
});
