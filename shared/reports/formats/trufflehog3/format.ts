import { defineFormat } from '../../readers/format.ts';

export const trufflehog3 = defineFormat({
  id: 'trufflehog3',
  label: 'trufflehog3 JSON (--format json)',
  begins: '[',
  recognise: (head) => head.startsWith('[') && (isCurrent(head) || isOfEarlierVersion(head)),
  whenNothingFound: 'for trufflehog3 send [], and name the format',
  read: () => import('./read.ts'),
});

const isCurrent = (head: string): boolean =>
  /"rule"\s*:\s*\{[^{}]{0,2000}"severity"\s*:/.test(head) && /"secret"\s*:/.test(head);

const isOfEarlierVersion = (head: string): boolean =>
  /"stringsFound"\s*:\s*\[/.test(head) && !/"(?:diff|printDiff)"\s*:/.test(head);
