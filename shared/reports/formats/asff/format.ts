import { defineFormat } from '../../format.ts';

export const asff = defineFormat({
  id: 'asff',
  label: 'AWS Security Hub findings (ASFF JSON: an array, the answer of get-findings, an event, or lines)',
  begins: '[{',
  recognise: (head) =>
    /^[[{]/.test(head) &&
    /"AwsAccountId"\s*:/.test(head) &&
    !/"class_uid"\s*:/.test(head) &&
    /"(?:ProductArn|GeneratorId|SchemaVersion)"\s*:/.test(head),
  whenNothingFound: 'for Security Hub send {"Findings": []}',
  read: () => import('./read.ts'),
});
