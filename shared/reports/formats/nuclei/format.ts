import { defineFormat } from '../../readers/format.ts';

export const nuclei = defineFormat({
  id: 'nuclei',
  label: 'Nuclei JSON lines (-jsonl) or JSON (-json-export)',
  begins: '{[',
  recognise: (head) => /^[[{][\s\S]{0,4000}"template-?id"\s*:/i.test(head),
  whenNothingFound: 'for Nuclei send [] or use -json-export',
  read: () => import('./read.ts'),
});
