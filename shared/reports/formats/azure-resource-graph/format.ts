import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

const isAt = (head: string, place: string): boolean =>
  hasShape(head, `${place}subscriptionId`) && hasShape(head, `${place}resourceGroup`);

export const azureResourceGraph = defineFormat({
  id: 'azure-resource-graph',
  label: 'Azure Resource Graph (az graph query -o json, or the list alone), an inventory of resources',
  begins: '[{',
  recognise: (head) => isAt(head, 'data.[].') || isAt(head, '[].'),
  read: () => import('./read.ts'),
});
