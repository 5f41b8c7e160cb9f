import { defineFormat } from '../../readers/format.ts';

export const trufflehog = defineFormat({
  id: 'trufflehog',
  label: 'TruffleHog 2 or 3 JSON lines (--json)',
  begins: '{[',
  recognise: (head) => /^[[{]/.test(head) && (/"SourceMetadata"\s*:/.test(head) || isOfVersion2(head)),
  whenNothingFound: 'for TruffleHog send [], and name the format',
  read: () => import('./read.ts'),
});

/** The commit's difference distinguishes it from the lists of trufflehog3 before version 3. */
const isOfVersion2 = (head: string): boolean =>
  /"(?:diff|printDiff)"\s*:/.test(head) && /"commit(?:Hash)?"\s*:/.test(head) && /"branch"\s*:/.test(head);
