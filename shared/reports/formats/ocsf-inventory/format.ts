import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

/** Device, software and cloud resources inventory info. */
const CLASSES = [5001, 5020, 5023].map((uid) => `class_uid=${uid}`);
const SHAPES = ['', '[].', 'events.[].'].flatMap((place) => CLASSES.map((one) => place + one));

export const ocsfInventory = defineFormat({
  id: 'ocsf-inventory',
  label: 'OCSF inventories of devices, software and cloud resources (JSON or JSON lines)',
  begins: '[{',
  recognise: (head) => hasShape(head, ...SHAPES),
  read: () => import('./read.ts'),
});
