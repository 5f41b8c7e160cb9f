import { defineFormat } from '../../readers/format.ts';

export const apex = defineFormat({
  id: 'apex',
  label: 'findings of an Apex appliance (JSON)',
  begins: '[',
  recognise: (head) => /^\[\s*\{[\s\S]{0,4000}"externalId"\s*:/.test(head),
  read: () => import('./read.ts'),
});
