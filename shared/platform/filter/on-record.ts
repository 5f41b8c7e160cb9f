import { blocksTest, parseBlock } from '../runtime/addresses.ts';
import { fitsPattern } from '../runtime/wildcard.ts';
import type { Marked } from '../table/combined.ts';
import { hasMarks } from '../table/match.ts';
import type { Field } from './fields.ts';
import type { Leaf } from './filter.ts';
import { numberTest } from './numbers.ts';

/** A record as rules see it: the facts that their fields read, and what the index has of it once it is stored as it is. */
export type Seen = { facts: object; marks: () => readonly string[] };

/** Whether a record fits: pure, and linear in the record. */
export type Test = (seen: Seen) => boolean;

/** The test of what the index has of a record. */
export const ofMarks =
  (marked: Marked): Test =>
  ({ marks }) =>
    hasMarks(marked, marks());

type Readable = Field & { read: NonNullable<Field['read']> };

/** The test of the values of a field. */
export function readTest(leaf: Leaf, field: Readable): Test {
  const { key = '' } = leaf;
  const isOne = valueTest(leaf, field);
  return ({ facts }) => field.read(facts as never, key).some(isOne);
}

function valueTest({ operator, value }: Leaf, field: Readable): (text: string) => boolean {
  const wanted = [value ?? []].flat();
  const [first = ''] = wanted;
  if (operator === 'exists') return () => true;
  if (operator === 'matches') return (text) => fitsPattern(first, text);
  if (field.kind === 'address') return inBlocks(wanted);
  if (field.kind === 'number') {
    const fits = numberTest(operator, wanted);
    return (text) => fits?.(Number(text)) ?? false;
  }
  const spelled = spellingOf(field);
  const known = new Set(wanted.map(spelled));
  return (text) => known.has(spelled(text));
}

function spellingOf(field: Field): (text: string) => string {
  if (field.kind === 'choice' || (field.kind === 'names' && field.caseless)) return (text) => text.toLowerCase();
  return ('spelled' in field && field.spelled) || ((text) => text);
}

/** Addresses are compared by value, because IPv6 has several spellings. */
function inBlocks(wanted: readonly string[]): (text: string) => boolean {
  const isIn = blocksTest(wanted.flatMap((text) => parseBlock(text) ?? []));
  return (text) => {
    const address = parseBlock(text);
    return address !== undefined && isIn(address);
  };
}
