import { parseBlock } from '../runtime/addresses.ts';
import type { Marked } from '../table/combined.ts';
import { wantedWords } from '../table/layout/words.ts';
import { daysOf, nextDay } from './days.ts';
import type { Field, Fields, Listed } from './fields.ts';
import { type Filter, type Leaf, MAX_ALL_VALUES } from './filter.ts';
import { fieldNamed, suggestion } from './names.ts';
import { numbersOf, numberTest } from './numbers.ts';
import { ofMarks, readTest, type Test } from './on-record.ts';

/** A comparison that no index can answer, or whose value is none of its field. `member`: the member of its JSON that is wrong. */
export class LeafError extends Error {
  readonly leaf: Leaf;
  readonly member: keyof Leaf;

  constructor(leaf: Leaf, member: keyof Leaf, message: string) {
    super(message);
    this.leaf = leaf;
    this.member = member;
  }
}

/** Who asks and when: `me` and ages depend on it. In a rule nobody asks. */
export type Asking = {
  callerId?: string | undefined;
  today: string;
  rule?: ForRule | undefined;
  /** The people of the teams that the filter names. */
  teams?: ReadonlyMap<string, readonly string[]> | undefined;
};

type ForRule = {
  /** Names of values of which the index may have more than the rule sees. */
  unsure?: readonly string[];
  /** The rule was accepted by an earlier release: a comparison that is wrong by now fits nothing. */
  stored?: boolean;
};

/** A filter that was compiled. */
export type Compiled = {
  /** Each record that fits has these values, places and words of the index. */
  within: Marked;
  /** No other record has them. */
  exact: boolean;
  /** The fields that it compares. */
  asks: readonly string[];
  test: Test;
  /** A stored rule has a comparison that is wrong by now, which fits nothing, and neither does its negation. */
  isRefused?: boolean;
};

export const NOTHING: Compiled = { within: { any: [] }, exact: true, asks: [], test: () => false, isRefused: true };

/**
 * The values, places and words of the index that answer a filter. A rule may also ask what no index answers: then they are
 * those that each record has that fits.
 * @throws LeafError for the first comparison that is wrong
 */
export function compileFilter(filter: Filter, fields: Fields, asking: Asking): Compiled {
  const { all, any, not } = filter;
  if (all || any) {
    const parts = (all ?? any ?? []).map((part) => compileFilter(part, fields, asking));
    return together(parts, all ? 'all' : 'any');
  }
  if (!not) return compileLeaf(filter as Leaf, fields, asking);
  const { within, test, ...inner } = compileFilter(not, fields, asking);
  if (inner.isRefused) return NOTHING;
  return { ...inner, within: inner.exact ? { not: within } : 'everything', test: (seen) => !test(seen) };
}

/** Filters of which all, or any, must fit. */
export function together(parts: readonly Compiled[], how: 'all' | 'any'): Compiled {
  const marks = parts.map(({ within }) => within);
  return {
    within: how === 'all' ? { all: marks } : { any: marks },
    exact: parts.every(({ exact }) => exact),
    asks: parts.flatMap(({ asks }) => asks),
    isRefused: parts.some(({ isRefused }) => isRefused),
    test: (seen) => (how === 'all' ? parts.every(({ test }) => test(seen)) : parts.some(({ test }) => test(seen))),
  };
}

function compileLeaf(leaf: Leaf, fields: Fields, asking: Asking): Compiled {
  try {
    return checkedLeaf(leaf, fields, asking);
  } catch (error) {
    if (error instanceof LeafError && asking.rule?.stored) return NOTHING;
    throw error;
  }
}

function checkedLeaf(leaf: Leaf, fields: Fields, asking: Asking): Compiled {
  const { field, name } = fieldOf(leaf, fields);
  if (asking.rule && field.listsOnly)
    throw new LeafError(leaf, 'field', `${name} is a field of lists, and none of rules`);
  if (!operatorsInRules(field).includes(leaf.operator))
    throw new LeafError(leaf, 'operator', `${leaf.field}: ${misfit(leaf, field)}`);
  const made = isAnswered(leaf, field)
    ? answers[field.kind](leaf, field as never, asking)
    : { unlisted: misfit(leaf, field) };
  if (typeof made === 'string') throw new LeafError(leaf, 'value', `${leaf.field}: ${made}`);
  if (!('unlisted' in made)) return { asks: [name], ...listed(leaf, field, { marked: made, rule: asking.rule }) };
  const { read } = field;
  if (!asking.rule || !read) throw new LeafError(leaf, 'value', `${leaf.field}: ${made.unlisted}`);
  const within = 'narrowed' in field ? field.narrowed?.(leaf) : undefined;
  return { within: within ?? 'everything', exact: false, asks: [name], test: readTest(leaf, { ...field, read }) };
}

const isAnswered = ({ operator }: Leaf, { kind }: Field): boolean =>
  kind === 'names' || kind === 'address' || OPERATORS_OF[kind].some((one) => one === operator);

function listed(
  leaf: Leaf,
  field: Field,
  { marked, rule }: { marked: Marked; rule?: ForRule | undefined },
): Omit<Compiled, 'asks'> {
  const { read } = field;
  const test = rule && read && field.kind !== 'number' ? readTest(leaf, { ...field, read }) : ofMarks(marked);
  if (rule && field.late) return { within: 'everything', exact: false, test };
  const { unsure = [] } = rule ?? {};
  const exact = unsure.length === 0 || !('mark' in field ? unsure.includes(field.mark) : field.kind === 'words');
  return { within: exact || 'mark' in field ? marked : 'everything', exact, test };
}

/** @throws LeafError for an unknown field, or a key of a field without keys */
function fieldOf(leaf: Leaf, fields: Fields): { name: string; field: Field } {
  const name = fieldNamed(fields, leaf.field);
  const field = name === undefined ? undefined : fields[name];
  if (name === undefined || !field)
    throw new LeafError(leaf, 'field', `${leaf.field} is no field${suggestion(leaf.field, Object.keys(fields))}`);
  const isKeyed = field.kind === 'names' && field.keyed === true;
  if (isKeyed && leaf.key === undefined)
    throw new LeafError(leaf, 'key', `${leaf.field}: the key is required: such as ${leaf.field}:${field.example}`);
  if (!isKeyed && leaf.key !== undefined)
    throw new LeafError(leaf, 'key', `${leaf.field}: has no keys: leave out the key`);
  return { name, field };
}

/** The operators of each kind of field in lists. */
export const OPERATORS_OF = {
  choice: ['equals', 'in'],
  flag: ['equals'],
  value: ['equals', 'in', 'exists'],
  person: ['equals', 'in', 'exists'],
  team: ['equals', 'in'],
  day: ['before', 'after', 'within', 'over', 'under', 'exists'],
  number: ['equals', 'in', 'within', 'over', 'under', 'exists'],
  words: ['equals', 'matches'],
  names: [],
  address: [],
} as const satisfies Record<Field['kind'], readonly Leaf['operator'][]>;

const NAMED = ['equals', 'in', 'matches', 'exists'] as const;

/** The operators of a field in rules. */
export function operatorsInRules({ kind, read }: Field): readonly Leaf['operator'][] {
  if (kind === 'address') return [...NAMED, 'cidr'];
  return kind === 'names' || (read && kind !== 'number') ? NAMED : OPERATORS_OF[kind];
}

function misfit({ operator, value }: Leaf, field: Field): string {
  if (operator === 'matches')
    return `no index answers ${[value].flat().join()} with a wildcard: leave it out, or search for words`;
  if (operatorsInRules(field).includes(operator)) return 'no index answers it: leave it out, or search for words';
  return `is not compared by ${operator}: use ${operatorsInRules(field).join(', ')}, such as ${field.example}`;
}

/** The marks that answer, the reason why the value is wrong, or why no index answers a value that rules may have. */
type Answer<K extends Field['kind']> = (
  leaf: Leaf,
  field: Extract<Field, { kind: K }>,
  asking: Asking,
) => Marked | string | { unlisted: string };

const NO_ABSENT = { unlisted: 'no index has the records without a value: name values' };

const answers: { [K in Field['kind']]: Answer<K> } = {
  choice({ value }, { mark, values, absent, rest }) {
    const wanted = texts(value).map((text) => text.toLowerCase());
    const unknown = wanted.find((text) => !values.includes(text));
    if (unknown !== undefined) return `${unknown} is no value${suggestion(unknown, values)}`;
    if (rest !== undefined && wanted.includes(rest))
      return { not: { name: mark, values: values.filter((text) => text !== rest && !wanted.includes(text)) } };
    return { name: mark, values: wanted.map((text) => (text === absent ? null : text)) };
  },
  flag({ value }, { mark, yes }) {
    const isTrue: Marked = { name: mark, values: [yes] };
    const asked = String(value).toLowerCase();
    if (asked === 'true') return isTrue;
    return asked === 'false' ? { not: isTrue } : 'must be true or false';
  },
  value({ operator, value }, { spelled = (text) => text, among, ...field }) {
    if (operator === 'exists') return withValue(field) ?? NO_ABSENT;
    const has = { name: field.mark, values: texts(value).map(spelled) };
    return among ? { all: [has, among] } : has;
  },
  person({ operator, value }, field, { callerId }) {
    if (callerId === undefined && texts(value).includes('me')) return 'me is nobody in a rule: name the id of a person';
    const asked = texts(value).map((text) => (text === 'me' ? (callerId ?? '') : text === 'none' ? null : text));
    const some = withValue(field);
    if (operator === 'exists') return some ?? NO_ABSENT;
    if (field.absent || !asked.includes(null)) return { name: field.mark, values: asked };
    const named = asked.filter((id) => id !== null);
    return some ? { any: [{ name: field.mark, values: named }, { not: some }] } : NO_ABSENT;
  },
  team({ value }, { mark }, { teams }) {
    // a team that is gone has nothing: a saved filter stays a filter
    const values = [...new Set(texts(value).flatMap((id) => teams?.get(id) ?? [id]))];
    if (values.length > MAX_ALL_VALUES) return `these teams have more than ${MAX_ALL_VALUES} people: name fewer`;
    return { name: mark, values };
  },
  day({ operator, value = '' }, { order, ahead, reach }, { today }) {
    const ends = operator === 'exists' ? {} : daysOf(operator, String(value), { today, ahead });
    if (typeof ends === 'string') return ends;
    const first = reach === undefined ? undefined : nextDay(today, -reach);
    if (first !== undefined && (ends.from === undefined || ends.from < first))
      return `lists find the last ${reach} days: ask for ${first} or later`;
    return { order, ...ends };
  },
  number({ operator, value }, field) {
    const made = numbersOf(operator, texts(value), field);
    const isFiner = typeof made === 'string' && field.read && numberTest(operator, texts(value));
    return isFiner ? { unlisted: made } : made;
  },
  words({ operator, value = '' }, { spelled = (text) => text }) {
    const asked = spelled(String(value));
    const wanted = wantedWords(operator === 'equals' ? `"${asked.replaceAll('"', ' ')}"` : asked);
    if (wanted.length === 0)
      return 'must have a word of two letters or digits or more, other than words of nearly every text such as "the"';
    return { all: wanted };
  },
  names(leaf, field) {
    const { operator, value } = leaf;
    const isNamed = field.values && (operator === 'equals' || operator === 'in');
    const unknown = isNamed ? texts(value).find((text) => !field.values?.includes(text.toLowerCase())) : undefined;
    if (unknown !== undefined) return `${unknown} is no value${suggestion(unknown, field.values ?? [])}`;
    return { unlisted: misfit(leaf, field) };
  },
  address(leaf, field) {
    const { operator, value } = leaf;
    const isWrong = operator !== 'matches' && texts(value).some((text) => !parseBlock(text));
    if (isWrong) return 'must be an address or a block such as 10.1.0.0/16 or 2001:db8::/32';
    return { unlisted: misfit(leaf, field) };
  },
};

/** The records with any value; undefined if the index does not have them. */
function withValue({ mark, absent, unless, some }: Listed): Marked | undefined {
  if (some !== undefined) return { name: some, values: [mark] };
  return absent && { not: { any: [{ name: mark, values: [null] }, unless ?? []].flat() } };
}

const texts = (value: Leaf['value']): string[] => [value ?? []].flat();
