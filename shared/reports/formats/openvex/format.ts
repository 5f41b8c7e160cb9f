import { defineFormat } from '../../readers/format.ts';

export const openvex = defineFormat({
  id: 'openvex',
  label: 'OpenVEX (JSON), statements that decide on findings',
  begins: '{',
  recognise: (head) => /"@context"\s*:\s*"https:\/\/openvex\.dev\/ns\b/.test(head),
  read: () => import('./read.ts'),
});
