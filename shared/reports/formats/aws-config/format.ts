import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const awsConfig = defineFormat({
  id: 'aws-config',
  label: 'AWS Config configuration snapshot or history (JSON), an inventory of resources',
  begins: '{',
  recognise: (head) => hasShape(head, 'configurationItems.[].resourceType'),
  read: () => import('./read.ts'),
});
