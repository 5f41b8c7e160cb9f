import { isAge } from './days.ts';
import type { Field, Fields } from './fields.ts';
import type { Filter, Leaf } from './filter.ts';
import { fieldNamed, suggestion } from './names.ts';

/** A filter that was read from a text, and the column of each of its comparisons, from 1. */
export type Parsed = { filter: Filter; columns: ReadonlyMap<object, number> };

/** A text that is no filter; the message says at which column and what to write. */
export class FilterError extends Error {}

type Value = { text: string; quoted: boolean };

/** The name of the field of words. */
const TEXT = 'text';
/** Records with fields of any name have the kind of these fields under this name. */
export const ANY_FIELD = '*';
const SPACE = /\s*/y;
/** A name and an operator, directly before a value. */
const HEAD = /([A-Za-z][\w.-]*)(<=|>=|[:<>~])/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"/y;
const BARE_VALUE = /[^\s(),"]+/y;
const BARE_WORD = /[^\s()"]+/y;
const JOINT = /(AND|OR|NOT)(?=[\s()]|$)/y;
/** Operators as people of other languages write them: as words they would find nothing, or the opposite. */
const SMALL_JOINT = /(?:(and|or)(?=[\s()]|$)|not(?=\s+(?:\(|[a-z][\w.-]*(?:<=|>=|[:<>~]))))/iy;

/** The text, the place in it, and what was read. */
type Reading = { text: string; fields: Fields; at: number; columns: Map<object, number> };

/**
 * Reads a filter such as `severity:critical,high -tool:trivy due<7d log4j "remote code"`: parts beside each other must
 * all hold, `OR` and parentheses group, `-` and `NOT` negate.
 * @throws FilterError with the column
 */
export function parseFilter(text: string, fields: Fields): Parsed {
  const reading: Reading = { text, fields, at: 0, columns: new Map() };
  const filter = readEither(reading, 1);
  if (reading.at < text.length) throw errorAt(reading, 'this parenthesis was not opened');
  return { filter, columns: reading.columns };
}

const errorAt = ({ at }: Reading, message: string, column = at + 1): FilterError =>
  new FilterError(`column ${column}: ${message}`);

/** Takes the text at this place, if it fits the pattern. */
function take(reading: Reading, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (!found) return undefined;
  reading.at += found[0].length;
  return found;
}

const nextIs = (reading: Reading, word: string): boolean => {
  JOINT.lastIndex = reading.at;
  return JOINT.exec(reading.text)?.[1] === word;
};

function takeWord(reading: Reading, word: string): boolean {
  if (!nextIs(reading, word)) return false;
  reading.at += word.length;
  take(reading, SPACE);
  return true;
}

function readEither(reading: Reading, depth: number): Filter {
  const parts = [readAll(reading, depth)];
  while (takeWord(reading, 'OR')) parts.push(readAll(reading, depth));
  return onlyOr(parts, (any) => ({ any }));
}

function readAll(reading: Reading, depth: number): Filter {
  const { text } = reading;
  const parts: Filter[] = [];
  for (;;) {
    take(reading, SPACE);
    const isEnd = reading.at === text.length || text[reading.at] === ')' || nextIs(reading, 'OR');
    if (isEnd && parts.length === 0) throw errorAt(reading, NOTHING);
    if (isEnd) return onlyOr(parts, (all) => ({ all }));
    if (parts.length > 0) takeWord(reading, 'AND');
    parts.push(readOne(reading, depth));
  }
}

const onlyOr = (parts: Filter[], joined: (parts: Filter[]) => Filter): Filter =>
  parts.length === 1 && parts[0] ? parts[0] : joined(parts);

function readOne(reading: Reading, depth: number): Filter {
  const { text } = reading;
  if (depth > MAX_NESTED) throw errorAt(reading, `more than ${MAX_NESTED} groups and negations are inside each other`);
  if (text[reading.at] === '-') {
    reading.at += 1;
    return { not: readOne(reading, depth + 1) };
  }
  if (takeWord(reading, 'NOT')) return { not: readOne(reading, depth + 1) };
  if (text[reading.at] !== '(') return readComparison(reading);
  reading.at += 1;
  const opened = reading.at;
  const inner = readEither(reading, depth + 1);
  if (text[reading.at] !== ')') throw errorAt(reading, `the parenthesis of column ${opened} is not closed`);
  reading.at += 1;
  return inner;
}

function readComparison(reading: Reading): Filter {
  const column = reading.at + 1;
  const filter = fieldAndValues(reading, column) ?? readWord(reading);
  for (const leaf of 'any' in filter ? (filter.any ?? []) : [filter]) reading.columns.set(leaf, column);
  return filter;
}

function fieldAndValues(reading: Reading, column: number): Filter | undefined {
  const head = take(reading, HEAD);
  if (!head) return undefined;
  const { fields } = reading;
  const [, typed = '', operator = ''] = head;
  const name = fieldNamed(fields, typed) ?? (fields[ANY_FIELD] && typed);
  const field = name === undefined ? undefined : (fields[name] ?? fields[ANY_FIELD]);
  if (name === undefined || !field) {
    const near = suggestion(typed, Object.keys(fields));
    const hint = near.endsWith('?') ? '' : '; put words with a colon in quotation marks';
    throw errorAt(reading, `${typed} is no field${near}${hint}`, column);
  }
  const values = [readValue(reading)];
  while (reading.text[reading.at] === ',') {
    reading.at += 1;
    values.push(readValue(reading));
  }
  const made = compared({ name, field, operator, values });
  if (typeof made === 'string') throw errorAt(reading, made, column);
  return made;
}

function readWord(reading: Reading): Leaf {
  const { fields, text, at } = reading;
  if (!fields[TEXT]) throw errorAt(reading, `a word needs a field here${suggestion('', Object.keys(fields))}`);
  const quoted = take(reading, QUOTED);
  if (quoted) return { field: TEXT, operator: 'equals', value: unescaped(quoted[1]) };
  const joint = take(reading, SMALL_JOINT)?.[0];
  if (joint !== undefined)
    throw errorAt(reading, `${joint} is a word here: write ${joint.toUpperCase()}, or "${joint}" for the word`, at + 1);
  const bare = take(reading, BARE_WORD);
  if (bare) return { field: TEXT, operator: 'matches', value: bare[0] };
  const sign = text[at];
  if (sign === undefined) throw errorAt(reading, NOTHING);
  throw errorAt(reading, sign === '"' ? OPEN_QUOTE : `${sign} has no meaning here`);
}

function readValue(reading: Reading): Value {
  const quoted = take(reading, QUOTED);
  if (quoted) return { text: unescaped(quoted[1]), quoted: true };
  const bare = take(reading, BARE_VALUE);
  if (bare) return { text: bare[0], quoted: false };
  throw errorAt(reading, reading.text[reading.at] === '"' ? OPEN_QUOTE : 'a value is missing');
}

const NOTHING = 'a comparison or a word is missing';
const OPEN_QUOTE = 'the quotation mark is not closed';
/** Groups inside each other: a text of parentheses alone fills no stack. */
const MAX_NESTED = 20;

const unescaped = (text = ''): string => text.replace(/\\(.)/gs, '$1');

type Comparison = { name: string; field: Field; operator: string; values: readonly Value[] };

/** The filter of a comparison, or the reason why it is none. */
function compared({ name, field, operator, values }: Comparison): Filter | string {
  const [first] = values;
  if (!first) return 'a value is missing';
  if (operator === ':') return anyOf(values.map((value) => named(name, field, value)));
  if (values.length > 1) return `${name}${operator} takes one value`;
  if (operator === '~') return keyed(name, field, { ...first, quoted: true, isPattern: true });
  if (field.kind !== 'day' && field.kind !== 'number') return `${name} is compared with a colon: ${name}:${first.text}`;
  return ordered({ name, field, operator, value: first.text });
}

function ordered({ name, field, operator, value }: { name: string; field: Field; operator: string; value: string }) {
  const ofAge = field.kind === 'day' && isAge(value);
  if (ofAge && operator.length > 1) return `an age is compared with < or >: ${name}${operator[0]}${value}`;
  if (operator === '<=') return { field: name, operator: 'within', value: `..${value}` } as const;
  if (operator === '>=') return { field: name, operator: 'within', value: `${value}..` } as const;
  const [less, more] = field.kind === 'number' || ofAge ? (['under', 'over'] as const) : (['before', 'after'] as const);
  return { field: name, operator: operator === '<' ? less : more, value };
}

type Keyed = Value & { isPattern?: boolean };

/** A comparison of a text, or of a tag of a cloud: `key=value`, or the key alone. */
function keyed(name: string, field: Field, { text, quoted, isPattern = false }: Keyed): Leaf {
  const isKeyed = field.kind === 'names' && field.keyed === true;
  const at = text.indexOf('=');
  const compared = isKeyed && at >= 0 ? text.slice(at + 1) : text;
  const key = isKeyed ? { key: keyOf(at < 0 ? text : text.slice(0, at)) } : {};
  if ((isKeyed && at < 0) || (!quoted && compared === '*')) return { field: name, ...key, operator: 'exists' };
  const operator = isPattern || (!quoted && compared.includes('*')) ? 'matches' : 'equals';
  const isBlock = field.kind === 'address' && operator === 'equals' && compared.includes('/');
  return { field: name, ...key, operator: isBlock ? 'cidr' : operator, value: compared };
}

const keyOf = (text: string): string => text.replaceAll('%3D', '=').replaceAll('%25', '%');

function named(name: string, field: Field, { text, quoted }: Value): Leaf {
  if (field.kind === 'names' && field.keyed) return keyed(name, field, { text, quoted });
  if (!quoted && text === '*') return { field: name, operator: 'exists' };
  if (field.kind === 'words') return { field: name, operator: quoted ? 'equals' : 'matches', value: text };
  if (field.kind === 'day' || (field.kind === 'number' && text.includes('..')))
    return { field: name, operator: 'within', value: text };
  return keyed(name, field, { text, quoted });
}

/** Values of one field in one comparison, as far as that is possible. */
function anyOf(leaves: readonly Leaf[]): Filter {
  const [first] = leaves;
  if (leaves.length === 1 && first) return first;
  const equal = leaves.filter(({ operator, key }) => operator === 'equals' && key === first?.key);
  if (equal.length < leaves.length || !first) return { any: [...leaves] };
  return { ...first, operator: 'in', value: equal.flatMap(({ value = [] }) => value) };
}
