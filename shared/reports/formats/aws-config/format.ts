import { defineFormat } from '../../format.ts';
import { hasShape } from '../../shape.ts';

export const awsConfig = defineFormat({
  id: 'aws-config',
  label: 'AWS Config configuration snapshot or history (JSON), an inventory of resources',
  begins: '{',
  recognise: (head) => hasShape(head, 'configurationItems.[].resourceType'),
  read: () => import('./read.ts'),
});
