import * as fc from 'fast-check';
import { compileFilter } from '#shared/platform/filter/compile.ts';
import type { Field, Fields } from '#shared/platform/filter/fields.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';
import type { Seen } from '#shared/platform/filter/on-record.ts';
import { DAY_MS } from '#shared/platform/runtime/clock.ts';
import { wantedWords } from '#shared/platform/table/layout/words.ts';

/** A record with the values that people see of it, by the names of the fields of its filters. `seen`: of an indexed record. */
export type Made = { id: string; values: Readonly<Record<string, readonly string[]>>; seen?: Seen };

export type Asked = { fields: Fields; me: string; today: string; teams: ReadonlyMap<string, readonly string[]> };

/** Fields that a list has and this table does not read: those of rules only, and the marks of previews. */
export const isTried = ({ kind }: Field, name: string): boolean =>
  kind !== 'names' && kind !== 'address' && name !== 'preview';

type Tried = { name: string; field: Field; known: readonly string[] };

/** Filters of the fields of an entity, with values of its records and others. */
export function randomFilters(asked: Asked, made: readonly Made[]): fc.Arbitrary<Filter> {
  const tried = Object.entries(asked.fields)
    .filter(([name, field]) => isTried(field, name))
    .map(
      ([name, field]): Tried => ({ name, field, known: [...new Set(made.flatMap((one) => one.values[name] ?? []))] }),
    );
  const leaf = fc.constantFrom(...tried).chain((one) => leafOf(one, asked));
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: leaf, weight: 2 },
      { arbitrary: fc.record({ all: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }), weight: 1 },
      { arbitrary: fc.record({ any: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }) }), weight: 1 },
      { arbitrary: fc.record({ not: tie('filter') }), weight: 1 },
    ),
  })).filter;
}

const OPERATORS: Record<string, readonly Leaf['operator'][]> = {
  flag: ['equals'],
  day: ['before', 'after', 'within', 'over', 'under', 'exists'],
  number: ['equals', 'in', 'over', 'under', 'within', 'exists'],
  words: ['matches', 'equals'],
};

/** Lists refuse these for a field of which they find the last days alone. */
const WITHOUT_BEGIN: readonly Leaf['operator'][] = ['before', 'over'];

function leafOf({ name, field, known }: Tried, { teams }: Asked): fc.Arbitrary<Filter> {
  const hasAbsent = ('absent' in field && field.kind !== 'choice') || 'some' in field;
  const isBounded = field.kind === 'day' && field.reach !== undefined;
  const all = OPERATORS[field.kind] ?? ['equals', 'in', ...(hasAbsent ? ['exists' as const] : [])];
  const operators = isBounded ? all.filter((operator) => !WITHOUT_BEGIN.includes(operator)) : all;
  return fc.constantFrom(...operators).chain((operator): fc.Arbitrary<Filter> => {
    if (operator === 'exists') {
      return fc.constant({ field: name, operator: isBounded ? 'within' : operator, ...(isBounded && { value: '7d' }) });
    }
    const value = valueText(
      { name, field, known },
      operator,
      hasAbsent ? [...teams.keys()] : [...teams.keys()].slice(0, 1),
    );
    const several = fc.uniqueArray(value, { minLength: 1, maxLength: 3 });
    return fc.record({
      field: fc.constant(name),
      operator: fc.constant(operator),
      value: operator === 'in' ? several : value,
    });
  });
}

function valueText(
  { field, known }: Tried,
  operator: Leaf['operator'],
  teams: readonly string[],
): fc.Arbitrary<string> {
  switch (field.kind) {
    case 'flag':
      return fc.constantFrom('true', 'false', 'TRUE');
    case 'team':
      return fc.constantFrom(...teams, field.example);
    case 'person':
      return fc.constantFrom(...known, 'me', 'nobody', ...(field.absent || field.some ? ['none'] : []));
    case 'choice':
      return fc.constantFrom(...field.values).map((text, n = text.length % 2) => (n ? text : text.toUpperCase()));
    case 'number':
      return numberText(field.step, field.most, operator === 'within');
    case 'day':
      return dayText(operator, field.reach === undefined ? known.map((at) => at.slice(0, 10)) : []);
    case 'words':
      return fc.constantFrom(...[...known.flatMap((text) => text.split(' ')), ...known, 'nothing'].filter(isTelling));
    default:
      return fc.constantFrom(...known.flatMap((text) => spellings(field, text)), field.example);
  }
}

/** A search for words that nearly every text has is refused. */
const isTelling = (text: string): boolean => wantedWords(text).length > 0;

/** The ways of writing a value that the field takes for the same. */
function spellings(field: Field, text: string): string[] {
  const { spelled } = { spelled: undefined, ...field } as { spelled?: (text: string) => string };
  return [text, text.toUpperCase(), text.toLowerCase()].filter(
    (one) => one === text || spelled?.(one) === spelled?.(text),
  );
}

function numberText(step: number, most: number, isRange: boolean): fc.Arbitrary<string> {
  const one = fc.nat(Math.round(most / step)).map((count) => String(Math.round(count * step * 100) / 100));
  if (!isRange) return one;
  return fc.tuple(one, one).map(([a, b]) => (Number(a) <= Number(b) ? `${a}..${b}` : `${b}..`));
}

function dayText(operator: Leaf['operator'], known: readonly string[]): fc.Arbitrary<string> {
  const age = fc.constantFrom('0d', '1d', '3d', '2w', '1m');
  if (operator === 'over' || operator === 'under') return age;
  if (known.length === 0) return operator === 'within' ? age : fc.constant(new Date().toISOString().slice(0, 10));
  const period = fc.constantFrom(...known, ...known.map((day) => day.slice(0, 7)), known[0]?.slice(0, 4) ?? '2026');
  if (operator !== 'within') return period;
  return fc.oneof(
    age,
    period,
    period.map((from) => `${from}..`),
    fc.tuple(fc.constantFrom(...known), fc.constantFrom(...known)).map((days) => days.sort().join('..')),
  );
}

/** Whether a record fits, by the values that people see. */
export function fits(filter: Filter, made: Made, asked: Asked): boolean {
  const { all, any, not } = filter;
  if (all) return all.every((one) => fits(one, made, asked));
  if (any) return any.some((one) => fits(one, made, asked));
  return not ? !fits(not, made, asked) : leafFits(filter as Leaf, made, asked);
}

function leafFits(leaf: Leaf, made: Made, { fields, me, today, teams }: Asked): boolean {
  const field = fields[leaf.field];
  const values = made.values[leaf.field] ?? [];
  const wanted = [leaf.value ?? []].flat();
  if (!field) throw new Error(`no field ${leaf.field}`);
  if (leaf.operator === 'exists') return values.length > 0;
  if (field.kind === 'words') return hasWords(leaf, made, fields);
  if (field.kind === 'day') return values.some((at) => isDay(leaf, at.slice(0, 10), { today, ahead: field.ahead }));
  if (field.kind === 'number') return values.some((text) => isNumber(leaf, Number(text), field.step));
  if (field.kind === 'flag') return values.includes('true') === (wanted[0]?.toLowerCase() === 'true');
  if (field.kind === 'choice') return values.some((text) => wanted.some((one) => one.toLowerCase() === text));
  if (field.kind === 'team') return values.some((id) => wanted.some((one) => (teams.get(one) ?? [one]).includes(id)));
  if (field.kind === 'person') {
    const people = wanted.map((one) => (one === 'me' ? me : one));
    return values.length === 0 ? people.includes('none') : values.some((id) => people.includes(id));
  }
  const spelled = ('spelled' in field && field.spelled) || ((text: string) => text);
  return values.some((text) => wanted.some((one) => spelled(one) === spelled(text)));
}

const partsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** Words that the index has are those of the entity; rows by time have the words of their texts. */
function hasWords(leaf: Leaf, { values, seen }: Made, fields: Fields): boolean {
  if (seen) return compileFilter(leaf, fields, { today: '', rule: {} }).test(seen);
  const words = (values.text ?? []).flatMap(partsOf);
  const isWord = (part: string) =>
    words.some((one) => (leaf.operator === 'equals' ? one === part : one.startsWith(part)));
  return partsOf(String(leaf.value)).every(isWord);
}

const DAYS: Record<string, number> = { d: 1, w: 7 };

function isDay({ operator, value }: Leaf, day: string, { today, ahead }: { today: string; ahead?: true | undefined }) {
  const text = String(value);
  const age = /^(\d+)([dwm])$/.exec(text);
  if (age) {
    const limit = age[2] === 'm' ? monthAway(today, ahead ? 1 : -1) : Number(age[1]) * (DAYS[age[2] ?? ''] ?? 0);
    const away = ((Date.parse(day) - Date.parse(today)) / DAY_MS) * (ahead ? 1 : -1);
    if (operator === 'within') return away >= 0 && away <= limit;
    return operator === 'under' ? away < limit : away > limit;
  }
  if (operator === 'before') return day.slice(0, text.length) < text;
  if (operator === 'after') return day.slice(0, text.length) > text;
  const [from = '', to = from] = text.split('..');
  return day.slice(0, from.length) >= from && (to === '' || day.slice(0, to.length) <= to);
}

function monthAway(today: string, months: number): number {
  const date = new Date(today);
  date.setUTCMonth(date.getUTCMonth() + months);
  return Math.abs(date.getTime() - Date.parse(today)) / DAY_MS;
}

/** Lists compare whole steps. */
function isNumber({ operator, value }: Leaf, number: number, step: number): boolean {
  const stepsOf = (given: number) => Math.floor(given / step + 1e-9);
  const steps = stepsOf(number);
  const [first = '', last = first] = operator === 'within' ? String(value).split('..') : [value ?? ''].flat();
  if (operator === 'within') return steps >= stepsOf(Number(first)) && (last === '' || steps <= stepsOf(Number(last)));
  if (operator === 'over') return steps > stepsOf(Number(first));
  if (operator === 'under') return steps < stepsOf(Number(first));
  return [value ?? []].flat().some((text) => stepsOf(Number(text)) === steps);
}
