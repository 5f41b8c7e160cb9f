import { defineFormat } from '../../readers/format.ts';

export const hadolint = defineFormat({
  id: 'hadolint',
  label: 'Hadolint JSON (-f json)',
  begins: '[',
  recognise: (head) =>
    /^\[\s*\{/.test(head) &&
    /"code"\s*:\s*"(?:DL|SC)\d{4}"/.test(head) &&
    /"level"\s*:/.test(head) &&
    /"column"\s*:/.test(head),
  whenNothingFound: 'for Hadolint send [], and name the format',
  read: () => import('./read.ts'),
});
