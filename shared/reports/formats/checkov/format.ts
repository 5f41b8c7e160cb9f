import { defineFormat } from '../../format.ts';

export const checkov = defineFormat({
  id: 'checkov',
  label: 'Checkov JSON (-o json)',
  begins: '{[',
  recognise: (head) =>
    /^[[{]/.test(head) && /"check(?:_type|ov_version)"\s*:/.test(head) && !/"runs"\s*:\s*\[/.test(head),
  read: () => import('./read.ts'),
});
