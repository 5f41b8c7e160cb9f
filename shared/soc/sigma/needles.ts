import type { Condition, FieldTest, NeededText, PatternPart, Search, SigmaRule, ValueTest } from './rule.ts';

/** A text in lower case that a field must have: as its whole value, or anywhere in it. Without a field, any text of the event. */
export type Needle = { field: string | null; text: string; isWhole: boolean };

/** Shorter texts are in most events, unless a letter of theirs is none of ASCII, such as an emoji. */
export const MIN_NEEDLE = 3;

/** How many events are expected to have a needle. */
type Cost = (needle: Needle) => number;

/** Needles of which each event that matches the rule has at least one; undefined for a rule that matches events with none. */
export function needlesOf({ searches, condition }: SigmaRule, cost: Cost): Needle[] | undefined {
  const ofCondition = (one: Condition): Needle[] | undefined => {
    if (one.kind === 'search') return ofSearch(searches.get(one.name) ?? [], cost);
    if (one.kind === 'not') return undefined;
    const all = one.of.map(ofCondition);
    return one.kind === 'and' ? cheapest(all, cost) : together(all);
  };
  return ofCondition(condition);
}

/** All needles that the searches of a rule name. */
export const namedNeedles = ({ searches }: SigmaRule): Needle[] =>
  [...searches.values()]
    .flat(2)
    .flatMap(({ field, tests }) => tests.flatMap((test) => ofTest({ field, cost: () => 1 }, test) ?? []));

const ofSearch = (search: Search, cost: Cost): Needle[] | undefined =>
  together(
    search.map((lines) =>
      cheapest(
        lines.map((line) => ofLine(line, cost)),
        cost,
      ),
    ),
  );

/** One of several must be true: an event has a needle of any of them. */
const together = (all: readonly (Needle[] | undefined)[]): Needle[] | undefined =>
  all.some((some) => some === undefined) ? undefined : all.flatMap((some) => some ?? []);

/** All of several must be true: the needles of one of them suffice. */
function cheapest(all: readonly (Needle[] | undefined)[], cost: Cost): Needle[] | undefined {
  const costOf = (some: readonly Needle[]) => some.reduce((sum, one) => sum + cost(one), 0);
  const known = all.flatMap((some) => (some ? [{ some, price: costOf(some) }] : []));
  return known.toSorted((one, other) => one.price - other.price)[0]?.some;
}

const ofLine = ({ field, tests, fits }: FieldTest, cost: Cost): Needle[] | undefined =>
  fits === 'none' ? undefined : together(tests.map((test) => ofTest({ field, cost }, test)));

type Looking = { field: string | null; cost: Cost };

function ofTest({ field, cost }: Looking, test: ValueTest): Needle[] | undefined {
  if (test.kind === 'regex') return ofRegex({ field, cost }, test.needs);
  if (test.kind !== 'text') return undefined;
  const [only] = test.parts;
  const isWhole = field !== null && test.parts.length === 1 && typeof only === 'object';
  const written = longestText(test.parts);
  // the lower case of other letters can depend on their neighbours
  if (test.cased && !isAscii(written)) return undefined;
  const text = written.toLowerCase();
  if (text.length < MIN_NEEDLE && isAscii(text) && !isWhole) return undefined;
  return [{ field, text, isWhole }];
}

function ofRegex({ field, cost }: Looking, needs: NeededText): Needle[] | undefined {
  if (needs === null) return undefined;
  if (typeof needs === 'string')
    return ofTest({ field, cost }, { kind: 'text', parts: ['any', { text: needs }, 'any'], cased: true });
  const all = needs.of.map((one) => ofRegex({ field, cost }, one));
  return needs.every ? cheapest(all, cost) : together(all);
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const longestText = (parts: readonly PatternPart[]): string =>
  parts.reduce((best, part) => (typeof part === 'object' && part.text.length > best.length ? part.text : best), '');
