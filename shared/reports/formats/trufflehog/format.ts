import { defineFormat } from '../../readers/format.ts';

export const trufflehog = defineFormat({
  id: 'trufflehog',
  label: 'TruffleHog 2 or 3 JSON lines (--json)',
  begins: '{[',
  recognise: (head) => /^[[{]/.test(head) && (/"SourceMetadata"\s*:/.test(head) || isOfVersion2(head)),
  whenNothingFound: 'for TruffleHog send [], and name the format',
  read: () => import('./read.ts'),
});

/** The difference of the commit tells it from the lists that trufflehog3 wrote before its version 3. */
const isOfVersion2 = (head: string): boolean =>
  /"(?:diff|printDiff)"\s*:/.test(head) && /"commit(?:Hash)?"\s*:/.test(head) && /"branch"\s*:/.test(head);
