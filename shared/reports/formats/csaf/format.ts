import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const csaf = defineFormat({
  id: 'csaf',
  label: 'CSAF 2.0 (JSON: profile VEX, or another one with product statuses), statements that decide on findings',
  begins: '{',
  recognise: (head) => hasShape(head, 'document.csaf_version'),
  read: () => import('./read.ts'),
});
