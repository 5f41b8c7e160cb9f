import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

export const inventory = defineFormat({
  id: 'inventory',
  label: 'an inventory of assets (the JSON of docs/inventory.md), as integrators and scripts send it',
  begins: '{',
  recognise: (head) => hasShape(head, 'assets.[].type') && hasShape(head, 'assets.[].value'),
  whenNothingFound: '{"assets": []}',
  read: () => import('./read.ts'),
});
