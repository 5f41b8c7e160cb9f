import { type Fields, fieldsOf } from './documents.ts';
import { isModifier, REFUSED_MODIFIERS, sortModifiers } from './modifiers.ts';
import { refuse } from './refusal.ts';
import type { FieldTest, Search } from './rule.ts';
import { type ReadRegex, testsOf } from './values.ts';

/** All values of a rule together: each is tried on every event of the rule's log source. */
const MAX_TESTS = 5_000;

/** Reads the searches of a rule. @throws SigmaError */
export function readSearches(detection: Fields, readRegex: ReadRegex): Map<string, Search> {
  const searches = new Map<string, Search>();
  for (const [name, value] of Object.entries(detection)) {
    if (name === 'condition') continue;
    if (name === 'timeframe') refuse('detection.timeframe', 'must stand in a correlation rule, as its timespan');
    searches.set(name, readSearch(`detection.${name}`, value, readRegex));
  }
  if (searches.size === 0) refuse('detection', 'must have a search beside its condition');
  const tests = [...searches.values()].flat(2).reduce((sum, one) => sum + one.tests.length, 0);
  if (tests > MAX_TESTS) refuse('detection', `must have at most ${MAX_TESTS} values, in all ways of writing them`);
  return searches;
}

/** A map of fields, a list of such maps, or words that may be anywhere. */
function readSearch(path: string, value: unknown, readRegex: ReadRegex): Search {
  if (!Array.isArray(value)) return [isWord(value) ? words(path, [value], readRegex) : lines(path, value, readRegex)];
  if (value.length === 0) refuse(path, 'must not be empty');
  return value.map((one: unknown, n) =>
    isWord(one) ? words(`${path}.${n}`, [one], readRegex) : lines(`${path}.${n}`, one, readRegex),
  );
}

const isWord = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const words = (path: string, values: readonly unknown[], readRegex: ReadRegex): FieldTest[] =>
  readLine({ path, key: '', values, readRegex });

function lines(path: string, value: unknown, readRegex: ReadRegex): FieldTest[] {
  const entries = Object.entries(fieldsOf(path, value));
  if (entries.length === 0) refuse(path, 'must not be empty');
  return entries.flatMap(([key, values]) =>
    readLine({ path: `${path}.${key}`, key, values: Array.isArray(values) ? values : [values], readRegex }),
  );
}

type Line = { path: string; key: string; values: readonly unknown[]; readRegex: ReadRegex };

/**
 * One line: `field|modifier|modifier: value` or its values as a list. Without a field, the values may be anywhere. With `all` each
 * value is a test of its own.
 */
function readLine({ path, key, values, readRegex }: Line): FieldTest[] {
  const [field = '', ...names] = key.split('|');
  if (values.length === 0) refuse(path, 'must have a value');
  const modifiers = names.map((name) => (isModifier(name) ? name : refuseModifier(path, name)));
  const modified = sortModifiers(modifiers);
  if (typeof modified === 'string') return refuse(path, modified);
  if (modified.has('all') && values.length === 1) refuse(path, 'all takes several values');
  if (field === '' && (modified.compares ?? 're') !== 're') refuse(path, `${modified.compares} needs a field`);
  if (field === '' && modified.has('fieldref')) refuse(path, 'fieldref needs a field');
  const tests = values.map((value, n) =>
    testsOf({ path: values.length > 1 ? `${path}.${n}` : path, modified, readRegex }, value),
  );
  const fits = modified.has('neq') ? 'none' : 'any';
  return (modified.has('all') ? tests : [tests.flat()]).map((some) => ({ field: field || null, tests: some, fits }));
}

const refuseModifier = (path: string, name: string): never => {
  const reason = Object.hasOwn(REFUSED_MODIFIERS, name) ? REFUSED_MODIFIERS[name] : 'is no modifier of Sigma';
  return refuse(path, `${name} is not supported: it ${reason}`);
};
