import { defineFormat } from '../../readers/format.ts';
import { hasShape } from '../../readers/shape.ts';

/** The places of an entry: in an array, an answer of the API, an event, or on a line. */
const PLACES = ['[].', 'Findings.[].', 'findings.[].', 'detail.findings.[].', ''];

const hasKey = (head: string, ...keys: string[]): boolean =>
  hasShape(head, ...PLACES.flatMap((place) => keys.map((key) => place + key)));

export const asff = defineFormat({
  id: 'asff',
  label: 'AWS Security Hub findings (ASFF JSON: an array, the answer of get-findings, an event, or lines)',
  begins: '[{',
  recognise: (head) => hasKey(head, 'AwsAccountId') && hasKey(head, 'ProductArn', 'GeneratorId', 'SchemaVersion'),
  whenNothingFound: 'for Security Hub send {"Findings": []}',
  read: () => import('./read.ts'),
});
