import { defineFormat } from '../../readers/format.ts';

export const bandit = defineFormat({
  id: 'bandit',
  label: 'Bandit JSON (-f json)',
  begins: '{',
  recognise: (head) =>
    /^\{\s*"(?:errors|generated_at|metrics|results)"\s*:/.test(head) &&
    /"(?:CONFIDENCE\.HIGH|issue_severity)"\s*:/.test(head),
  read: () => import('./read.ts'),
});
