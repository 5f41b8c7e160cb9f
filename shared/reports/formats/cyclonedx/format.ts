import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const cyclonedx = defineFormat({
  id: 'cyclonedx',
  label: 'CycloneDX JSON or XML, with vulnerabilities and their analyses (VEX), or as an inventory',
  begins: '{<',
  recognise: (head) =>
    hasShape(head, 'bomFormat=CycloneDX', '*.[].bom-ref', 'metadata.component.bom-ref') ||
    /<(?:\w{1,20}:)?bom\b[^<>]{0,2000}cyclonedx\.org\/schema\/bom/.test(head),
  read: () => import('./read.ts'),
});
