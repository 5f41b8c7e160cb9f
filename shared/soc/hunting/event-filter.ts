import type { Fields } from '#shared/platform/filter/fields.ts';
import { WORDS } from '#shared/platform/filter/fields.ts';
import type { Filter, Leaf } from '#shared/platform/filter/filter.ts';
import { sizeProblem } from '#shared/platform/filter/filter.ts';
import { numberTest } from '#shared/platform/filter/numbers.ts';
import { ANY_FIELD, FilterError, parseFilter } from '#shared/platform/filter/parse.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { fitsPattern } from '#shared/platform/runtime/wildcard.ts';
import type { SiemEvent } from '#shared/soc/siem/event.ts';
import { searchedWords, wordsOf } from '#shared/soc/siem/words.ts';
import { type EventTexts, eventTexts } from '#shared/soc/sigma/event.ts';

/** A filter of events. `words`, `host` and `user`: what each event that fits has, by which segments are left out. */
export type EventFilter = {
  words: readonly string[];
  host: string | undefined;
  user: string | undefined;
  fits: (event: SiemEvent) => boolean;
};

/** Events have fields of any name. Their values are texts, which a comparison with a number reads as numbers. */
const FIELDS: Fields = {
  text: WORDS,
  [ANY_FIELD]: { kind: 'number', order: '', step: 1, most: 0, placeOf: String, about: '', example: '' },
};

/**
 * Reads a filter such as `EventID:4625 user:adm* -host:web-01 "failed password"`: the language of all lists (docs/filters.md), with the
 * fields of events. @throws validation_failed with the column
 */
export function eventFilter(text: string): EventFilter {
  const filter = parsed(text);
  const tests = testOf(filter);
  const needed = conjunctsOf(filter);
  const only = (name: string) => {
    const found = needed.find(({ field, operator }) => field.toLowerCase() === name && operator === 'equals')?.value;
    return found === undefined ? undefined : String(found).toLowerCase();
  };
  return {
    words: [...new Set(needed.flatMap(wordsIn))],
    host: only('host'),
    user: only('user'),
    fits: (event) => tests(seenOf(event)),
  };
}

function parsed(text: string): Filter {
  try {
    const { filter } = parseFilter(text, FIELDS);
    const problem = sizeProblem(filter);
    if (problem) throw new FilterError(problem.message);
    return filter;
  } catch (error) {
    if (error instanceof FilterError) throw invalid('filter', error.message);
    throw error;
  }
}

/** The comparisons that each event that fits passes. */
function conjunctsOf(filter: Filter): Leaf[] {
  if (filter.all) return filter.all.flatMap(conjunctsOf);
  const { field, operator, value } = filter;
  return field === undefined || operator === undefined ? [] : [{ field, operator, value }];
}

/** The whole words that a comparison needs. */
function wordsIn({ field, operator, value }: Leaf): string[] {
  const isWhole = operator === 'equals' || (field === WORD && operator === 'matches' && !String(value).includes('*'));
  return isWhole ? searchedWords(String(value)) : [];
}

const WORD = 'text';

/** An event, whose words are read when a comparison asks for them. */
type Seen = {
  words: () => ReadonlySet<string>;
  texts: (field: string) => readonly string[];
  all: () => readonly string[];
};
type Test = (seen: Seen) => boolean;

/** The values of a field, by its name in any letter case. */
export const valuesIn = (event: SiemEvent, field: string): readonly string[] =>
  namedTexts(event, eventTexts(event))(field);

function namedTexts(event: SiemEvent, texts: EventTexts) {
  const { host, user, severity, category, product, service, format, sourceId } = event;
  // these come first: segments are left out by the host and the user that the service read
  const own: Readonly<Record<string, string | null>> = {
    host,
    user,
    severity,
    category,
    product,
    service,
    format,
    sourceid: sourceId,
  };
  return (field: string): readonly string[] => {
    const wanted = field.toLowerCase();
    const read = Object.hasOwn(own, wanted) ? own[wanted] : undefined;
    if (read) return [read];
    const named = Object.keys(event.fields).find((name) => name.toLowerCase() === wanted);
    return texts.texts(named ?? field) ?? [];
  };
}

function seenOf(event: SiemEvent): Seen {
  const texts = eventTexts(event);
  const named = namedTexts(event, texts);
  let words: ReadonlySet<string> | undefined;
  return {
    words() {
      words ??= wordsOf(event);
      return words;
    },
    texts: (field) => named(field).map((text) => text.toLowerCase()),
    all: texts.everythingLower,
  };
}

function testOf(filter: Filter): Test {
  const { all, any, not } = filter;
  if (all) return bothOf(all.map(testOf));
  if (any) {
    const tests = any.map(testOf);
    return (seen) => tests.some((one) => one(seen));
  }
  if (not) {
    const test = testOf(not);
    return (seen) => !test(seen);
  }
  return bothOf(conjunctsOf(filter).map((leaf) => (leaf.field === WORD ? wordTest(leaf) : fieldTest(leaf))));
}

const bothOf =
  (tests: readonly Test[]): Test =>
  (seen) =>
    tests.every((one) => one(seen));

/** A word may end with `*`. A text in quotation marks is a sequence of whole words. */
function wordTest({ operator, value }: Leaf): Test {
  const wanted = String(value).toLowerCase();
  const words = searchedWords(wanted);
  if (operator === 'equals')
    return (seen) => words.every((word) => seen.words().has(word)) && seen.all().some((text) => text.includes(wanted));
  if (!wanted.includes('*')) return (seen) => words.every((word) => seen.words().has(word));
  return (seen) => [...seen.words()].some((word) => fitsPattern(wanted, word));
}

function fieldTest({ field, operator, value }: Leaf): Test {
  const wanted = [value ?? []].flat().map((one) => one.toLowerCase());
  const [first = ''] = wanted;
  const isOne = oneTest(operator, wanted, first);
  if (!isOne)
    throw invalid('filter', `${field} is compared with a number here, such as ${field}>100: ${first} is none`);
  return (seen) => seen.texts(field).some(isOne);
}

function oneTest(operator: Leaf['operator'], wanted: readonly string[], first: string) {
  if (operator === 'exists') return () => true;
  if (operator === 'matches') return (text: string) => fitsPattern(first, text);
  if (operator === 'equals' || operator === 'in') return (text: string) => wanted.includes(text);
  const fits = numberTest(operator, wanted);
  return fits && ((text: string) => text.trim() !== '' && fits(Number(text)));
}
