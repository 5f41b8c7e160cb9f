import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const checkov = defineFormat({
  id: 'checkov',
  label: 'Checkov JSON (-o json)',
  begins: '{[',
  recognise: (head) =>
    hasShape(head, 'check_type', '[].check_type', 'checkov_version', '[].checkov_version', 'summary.checkov_version'),
  read: () => import('./read.ts'),
});
