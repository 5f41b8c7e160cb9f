import { type Fields, fieldsOf, textOf, textsOf } from './documents.ts';
import { refuse } from './refusal.ts';
import { CORRELATION_TYPES, type Correlation, type SigmaRule } from './rule.ts';

/** The counts of a group are kept for parts of the span. */
const MAX_SECONDS = 7 * 86_400;
const MAX_EVENTS = 1_000_000;
/** The values themselves are kept, so that each counts once. */
const MAX_VALUES = 100;
const MAX_SUM = 1_000_000_000_000;
/** Sums are kept in thousandths, so that they are exact. */
export const SUM_UNIT = 1_000;
const MAX_GROUP_FIELDS = 10;
const MAX_RULES = 10;

/** Reads the correlation of a text with these rules. @throws SigmaError */
export function readCorrelation(value: unknown, rules: readonly SigmaRule[]): Correlation {
  const fields = fieldsOf('correlation', value);
  const type = typeOf(fields.type);
  const named = namedBy(fields.rules, rules);
  const groupBy = textsOf('correlation.group-by', fields['group-by']);
  if (groupBy.length > MAX_GROUP_FIELDS) refuse('correlation.group-by', `must name at most ${MAX_GROUP_FIELDS} fields`);
  return {
    type,
    groupBy,
    ...named,
    ...conditionOf(type, fields.condition, named.places),
    timespanSeconds: readTimespan(fields.timespan),
    aliases: readAliases(fields.aliases, [...rules, ...named.references.map((name) => ({ name, id: name }))]),
  };
}

function typeOf(value: unknown): Correlation['type'] {
  const name = textOf('correlation.type', value) ?? refuse('correlation.type', 'must be a text');
  const type = CORRELATION_TYPES.find((one) => one === name);
  return type ?? refuse('correlation.type', `must be one of ${CORRELATION_TYPES.join(', ')}`);
}

type Named = Pick<SigmaRule, 'name' | 'id'>;

/** The place of each rule in the list: first those of the text, which must all be named, then stored rules. */
function namedBy(value: unknown, rules: readonly Named[]): Pick<Correlation, 'places' | 'references'> {
  const wanted = [...new Set(textsOf('correlation.rules', value))];
  if (wanted.length === 0) refuse('correlation.rules', 'must name a rule');
  if (wanted.length > MAX_RULES) refuse('correlation.rules', `must name at most ${MAX_RULES} rules`);
  const isNamed = (name: string) => (rule: Named) => rule.name === name || rule.id === name;
  const unused = rules.findIndex((rule) => !wanted.some((name) => isNamed(name)(rule)));
  if (unused >= 0) refuse('correlation.rules', `must name each rule of the text: document ${unused + 1} is not named`);
  const references = wanted.filter((name) => !rules.some(isNamed(name)));
  const own = rules.map((rule) => wanted.findIndex((name) => isNamed(name)(rule)));
  return { references, places: [...own, ...references.map((name) => wanted.indexOf(name))] };
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function readTimespan(value: unknown): number {
  const [, amount = '', unit = ''] = /^(\d{1,7})([smhd])$/.exec(typeof value === 'string' ? value : '') ?? [];
  const seconds = Number(amount) * (UNITS[unit] ?? 0);
  if (!(seconds >= 1 && seconds <= MAX_SECONDS))
    refuse('correlation.timespan', 'must be a number and s, m, h or d, such as 5m, and at most 7d');
  return seconds;
}

type Counted = Pick<Correlation, 'counts' | 'fields' | 'atLeast' | 'adds'>;
type Temporal = 'temporal' | 'temporal_ordered';
type Level = 'value_avg' | 'value_percentile' | 'value_median';

const ITSELF = { as: 'itself' } as const;
const PATH = 'correlation.condition';

function conditionOf(type: Correlation['type'], condition: unknown, places: Correlation['places']): Counted {
  if (type === 'temporal' || type === 'temporal_ordered') return readTogether(condition, type, places);
  if (type === 'value_avg' || type === 'value_percentile' || type === 'value_median') return readLevel(condition, type);
  return readCounted(condition, type);
}

/** All of the rules, near each other. */
function readTogether(condition: unknown, type: Temporal, { length }: Correlation['places']): Counted {
  if (condition !== undefined) refuse('correlation.condition', `must be absent: ${type} asks for each of the rules`);
  if (length < 2) refuse('correlation.rules', `must name several rules: ${type} asks for each of them`);
  return { counts: type === 'temporal' ? 'values' : 'order', fields: null, atLeast: length, adds: ITSELF };
}

/** The things that a type counts, and the most that it may ask for. */
const COUNTED = {
  event_count: { counts: 'events', most: MAX_EVENTS, unit: 1 },
  value_count: { counts: 'values', most: MAX_VALUES, unit: 1 },
  value_sum: { counts: 'sum', most: MAX_SUM, unit: SUM_UNIT },
} as const;

/** The count may still grow, so that no condition can ask for less or for exactly so many. */
function readCounted(value: unknown, type: keyof typeof COUNTED): Counted {
  const { field: named, ...bounds } = fieldsOf(PATH, value);
  const fields = textsOf(`${PATH}.field`, named);
  const { counts, most, unit } = COUNTED[type];
  if (type !== 'event_count' && fields.length === 0)
    refuse(`${PATH}.field`, `must name a field, whose values ${type} takes`);
  if (type === 'event_count' && fields.length > 0) refuse(`${PATH}.field`, 'must be absent: event_count counts events');
  if (type === 'value_sum' && fields.length > 1) refuse(`${PATH}.field`, 'must be one field, whose numbers are added');
  if (fields.length > MAX_GROUP_FIELDS) refuse(`${PATH}.field`, `must name at most ${MAX_GROUP_FIELDS} fields`);
  const [[order = '', bound] = [], ...more] = Object.entries(bounds);
  if (more.length > 0 || (order !== 'gt' && order !== 'gte'))
    return refuse(
      PATH,
      'must be gt or gte with a number: a count begins below each bound and grows, so that less would fit every group',
    );
  const atLeast = Number(bound) * unit + (order === 'gt' ? 1 : 0);
  if (typeof bound !== 'number' || !Number.isInteger(atLeast) || atLeast < 1 || atLeast > most * unit)
    refuse(
      `${PATH}.${order}`,
      unit === 1
        ? `must be a whole number that asks for 1 to ${most}`
        : `must be a number with at most three decimals that asks for more than 0 and at most ${most}`,
    );
  return { counts, fields: fields.length === 0 ? null : fields, atLeast, adds: ITSELF };
}

const LEVEL_ORDERS = ['gt', 'gte', 'lt', 'lte'] as const;

/**
 * An average or a percentile compared with a bound, as a sum over the span: an average is above a bound where the distances of the numbers from it
 * add up to more than nothing, and p of a hundred numbers are at most a bound where numbers above it add p and others p - 100.
 */
function readLevel(value: unknown, type: Level): Counted {
  const { field: named, percentile = type === 'value_median' ? 50 : undefined, ...bounds } = fieldsOf(PATH, value);
  const fields = textsOf(`${PATH}.field`, named);
  if (fields.length !== 1) refuse(`${PATH}.field`, `must name one field, whose numbers ${type} takes`);
  const [[name = '', bound] = [], ...more] = Object.entries(bounds);
  const order = LEVEL_ORDERS.find((one) => one === name);
  if (more.length > 0 || !order) return refuse(PATH, `must be one of ${LEVEL_ORDERS.join(', ')} with a number`);
  const thousandths = Math.round(Number(bound) * SUM_UNIT);
  if (typeof bound !== 'number' || Math.abs(bound) > MAX_SUM || thousandths / SUM_UNIT !== bound)
    return refuse(`${PATH}.${order}`, `must be a number with at most three decimals and at most ${MAX_SUM}`);
  const sign = order === 'lt' || order === 'lte' ? -1 : 1;
  const isOrEqual = order === 'gte' || order === 'lte';
  const sum = { counts: 'sum', fields } as const;
  if (type === 'value_avg') {
    if (percentile !== undefined) refuse(`${PATH}.percentile`, 'must be absent: value_avg takes the average');
    return { ...sum, adds: { as: 'distance', from: thousandths, sign }, atLeast: isOrEqual ? 0 : 1 };
  }
  if (typeof percentile !== 'number' || !Number.isInteger(percentile) || percentile < 1 || percentile > 99)
    return refuse(`${PATH}.percentile`, 'must be a whole number from 1 to 99, such as 95');
  // less than a bound is what is not at least the bound
  const isAbove = (sign === 1) === isOrEqual ? 'gte' : 'gt';
  return { ...sum, adds: { as: 'side', of: thousandths, isAbove, percentile, sign }, atLeast: sign === 1 ? 1 : 0 };
}

/** For each rule, the fields with another name in the correlation. */
function readAliases(value: unknown, rules: readonly Named[]): Map<string, string>[] {
  const aliases = rules.map(() => new Map<string, string>());
  if (value === undefined) return aliases;
  for (const [alias, byRule] of Object.entries(fieldsOf('correlation.aliases', value))) {
    const path = `correlation.aliases.${alias}`;
    const fields: Fields = fieldsOf(path, byRule);
    for (const [name, field] of Object.entries(fields)) {
      const rule = rules.findIndex((one) => one.name === name || one.id === name);
      if (rule < 0) refuse(`${path}.${name}`, 'must be the name of a rule in correlation.rules');
      aliases[rule]?.set(alias, textOf(`${path}.${name}`, field) ?? refuse(`${path}.${name}`, 'must be a text'));
    }
  }
  return aliases;
}
