import type { Marked } from '../table/combined.ts';
import { wantedWords } from '../table/layout/words.ts';
import { daysOf, nextDay } from './days.ts';
import type { Field, Fields } from './fields.ts';
import type { Filter, Leaf } from './filter.ts';
import { fieldNamed, suggestion } from './names.ts';
import { numbersOf } from './numbers.ts';

/** A comparison that no index can answer, or whose value is none of its field. */
export class LeafError extends Error {
  readonly leaf: Leaf;

  constructor(leaf: Leaf, message: string) {
    super(message);
    this.leaf = leaf;
  }
}

/** Who asks and when: `me` and ages depend on it. */
export type Asking = { callerId: string; today: string };

/**
 * The values, places and words of the index that answer a filter: a record has them exactly if the filter is true.
 * @throws LeafError for the first comparison that is wrong
 */
export function compileFilter(filter: Filter, fields: Fields, asking: Asking): Marked {
  const { all, any, not } = filter;
  if (all) return { all: all.map((part) => compileFilter(part, fields, asking)) };
  if (any) return { any: any.map((part) => compileFilter(part, fields, asking)) };
  if (not) return { not: compileFilter(not, fields, asking) };
  return compileLeaf(filter as Leaf, fields, asking);
}

function compileLeaf(leaf: Leaf, fields: Fields, asking: Asking): Marked {
  const name = fieldNamed(fields, leaf.field);
  const field = name === undefined ? undefined : fields[name];
  if (!field) throw new LeafError(leaf, `${leaf.field} is no field${suggestion(leaf.field, Object.keys(fields))}`);
  if (!(OPERATORS_OF[field.kind] as readonly string[]).includes(leaf.operator))
    throw new LeafError(leaf, misfit(leaf, field));
  const made = answers[field.kind](leaf, field as never, asking);
  if (typeof made === 'string') throw new LeafError(leaf, `${leaf.field}: ${made}`);
  return made;
}

/** The operators of each kind of field. */
export const OPERATORS_OF = {
  choice: ['equals', 'in'],
  flag: ['equals'],
  value: ['equals', 'in', 'exists'],
  person: ['equals', 'in', 'exists'],
  day: ['before', 'after', 'within', 'over', 'under', 'exists'],
  number: ['equals', 'in', 'within', 'over', 'under', 'exists'],
  words: ['equals', 'matches'],
} as const satisfies Record<Field['kind'], readonly Leaf['operator'][]>;

function misfit({ field, operator, value }: Leaf, { kind, example }: Field): string {
  if (operator === 'matches')
    return `${field}: no index answers ${[value].flat().join()} with a wildcard: leave it out, or search for words`;
  return `${field} is not compared by ${operator}: use ${OPERATORS_OF[kind].join(', ')}, such as ${field}:${example}`;
}

type Answer<K extends Field['kind']> = (
  leaf: Leaf,
  field: Extract<Field, { kind: K }>,
  asking: Asking,
) => Marked | string;

const answers: { [K in Field['kind']]: Answer<K> } = {
  choice({ value }, { mark, values, absent }) {
    const wanted = texts(value).map((text) => text.toLowerCase());
    const unknown = wanted.find((text) => !values.includes(text));
    if (unknown !== undefined) return `${unknown} is no value${suggestion(unknown, values)}`;
    return { name: mark, values: wanted.map((text) => (text === absent ? null : text)) };
  },
  flag({ value }, { mark, yes }) {
    const isTrue: Marked = { name: mark, values: [yes] };
    const asked = String(value).toLowerCase();
    if (asked === 'true') return isTrue;
    return asked === 'false' ? { not: isTrue } : 'must be true or false';
  },
  value({ operator, value }, { mark, spelled = (text) => text, absent, among }) {
    if (operator !== 'exists') {
      const has = { name: mark, values: texts(value).map(spelled) };
      return among ? { all: [has, among] } : has;
    }
    return absent ? { not: { name: mark, values: [null] } } : NO_ABSENT;
  },
  person({ operator, value }, { mark, absent }, { callerId }) {
    const asked = texts(value);
    if (!absent && (operator === 'exists' || asked.includes('none'))) return NO_ABSENT;
    if (operator === 'exists') return { not: { name: mark, values: [null] } };
    return { name: mark, values: asked.map((text) => (text === 'me' ? callerId : text === 'none' ? null : text)) };
  },
  day({ operator, value = '' }, { order, ahead, reach }, { today }) {
    const ends = operator === 'exists' ? {} : daysOf(operator, String(value), { today, ahead });
    if (typeof ends === 'string') return ends;
    const first = reach === undefined ? undefined : nextDay(today, -reach);
    if (first !== undefined && (ends.from === undefined || ends.from < first))
      return `lists find the last ${reach} days: ask for ${first} or later`;
    return { order, ...ends };
  },
  number: ({ operator, value }, field) => numbersOf(operator, texts(value), field),
  words({ operator, value = '' }, { spelled = (text) => text }) {
    const asked = spelled(String(value));
    const wanted = wantedWords(operator === 'equals' ? `"${asked.replaceAll('"', ' ')}"` : asked);
    if (wanted.length === 0) return 'must have a word of two letters or digits or more';
    return { all: wanted };
  },
};

const NO_ABSENT = 'no index has the records without a value: name values';

const texts = (value: Leaf['value']): string[] => [value ?? []].flat();
