import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { EventTexts } from './event.ts';
import { patternTest, within } from './pattern.ts';
import type { MakeRegex } from './regex.ts';
import type {
  Condition,
  FieldPlace,
  FieldTest,
  NumberOrder,
  PatternPart,
  Search,
  SigmaRule,
  ValueTest,
} from './rule.ts';

/** Whether an event fits a rule. The log source is not among what is tested. */
export type Fits = (event: EventTexts) => boolean;

/** A rule as a function that reads no more of an event than it needs. */
export function compileRule({ searches, condition }: SigmaRule, makeRegex: MakeRegex): Fits {
  const compiled = new Map([...searches].map(([name, search]) => [name, compileSearch(search, makeRegex)]));
  return compileCondition(condition, compiled);
}

function compileCondition(condition: Condition, searches: ReadonlyMap<string, Fits>): Fits {
  if (condition.kind === 'search') return searches.get(condition.name) ?? (() => false);
  if (condition.kind === 'not') {
    const inner = compileCondition(condition.of, searches);
    return (event) => !inner(event);
  }
  const of = condition.of.map((one) => compileCondition(one, searches));
  return condition.kind === 'and' ? allOf(of) : anyOf(of);
}

function allOf(of: readonly Fits[]): Fits {
  const [only] = of;
  return of.length === 1 && only ? only : (event) => of.every((fits) => fits(event));
}

function anyOf(of: readonly Fits[]): Fits {
  const [only] = of;
  return of.length === 1 && only ? only : (event) => of.some((fits) => fits(event));
}

const compileSearch = (search: Search, makeRegex: MakeRegex): Fits =>
  anyOf(search.map((lines) => allOf(lines.map((line) => compileLine(line, makeRegex)))));

function compileLine({ field, tests, fits }: FieldTest, makeRegex: MakeRegex): Fits {
  if (fits === 'all') return allOf(tests.map((test) => valueFits(field, test, makeRegex)));
  const some = anyOf([...exactTexts(field, tests), ...others(field, tests, makeRegex)]);
  return fits === 'none' ? (event) => !some(event) : some;
}

/** The text of a test for one exact text in any letter case. */
function exactText(test: ValueTest): string | undefined {
  const [only, ...more] = test.kind === 'text' && !test.cased ? test.parts : [];
  return typeof only === 'object' && more.length === 0 ? only.text.toLowerCase() : undefined;
}

/** Exact texts of a field are looked up together, however many there are. */
function exactTexts(field: string | null, tests: readonly ValueTest[]): Fits[] {
  if (field === null) return [];
  const wanted = new Set(tests.flatMap((test) => exactText(test) ?? []));
  return wanted.size === 0 ? [] : [({ lower }) => lower(field)?.some((text) => wanted.has(text)) ?? false];
}

const others = (field: string | null, tests: readonly ValueTest[], makeRegex: MakeRegex): Fits[] =>
  tests
    .filter((test) => field === null || exactText(test) === undefined)
    .map((test) => valueFits(field, test, makeRegex));

function valueFits(field: string | null, test: ValueTest, makeRegex: MakeRegex): Fits {
  if (field === null) return wordFits(test, makeRegex);
  if (test.kind === 'absent') return ({ texts }) => texts(field) === undefined;
  if (test.kind === 'exists') return ({ texts }) => (texts(field) !== undefined) === test.wanted;
  if (test.kind === 'field') return otherFieldFits(field, test);
  if (test.kind === 'text') {
    const fits = patternTest(test.cased ? test.parts : test.parts.map(lowerPart));
    if (test.cased) return ({ texts }) => texts(field)?.some(fits) ?? false;
    return ({ lower }) => lower(field)?.some(fits) ?? false;
  }
  const fits = textTest(test, makeRegex);
  return ({ texts }) => texts(field)?.some(fits) ?? false;
}

/** A word may stand anywhere in anything that the event says. */
function wordFits(test: ValueTest, makeRegex: MakeRegex): Fits {
  if (test.kind === 'regex') {
    const fits = makeRegex(test);
    return ({ everything }) => everything().some(fits);
  }
  if (test.kind !== 'text') return () => false;
  const fits = patternTest(within(test.cased ? test.parts : test.parts.map(lowerPart)));
  return test.cased
    ? ({ everything }) => everything().some(fits)
    : ({ everythingLower }) => everythingLower().some(fits);
}

const lowerPart = (part: PatternPart): PatternPart =>
  typeof part === 'object' ? { text: part.text.toLowerCase() } : part;

type TextTest = (text: string) => boolean;

function textTest(test: Extract<ValueTest, { kind: 'regex' | 'network' | 'number' }>, makeRegex: MakeRegex): TextTest {
  if (test.kind === 'regex') return makeRegex(test);
  if (test.kind === 'number') return numberTest(test.than, test.value);
  const network = new BlockList();
  network.addSubnet(test.address, test.bits, test.family);
  return (text) => (isIPv4(text) && network.check(text, 'ipv4')) || (isIPv6(text) && network.check(text, 'ipv6'));
}

function numberTest(than: NumberOrder, value: number): TextTest {
  const orders: Record<NumberOrder, (one: number) => boolean> = {
    lt: (one) => one < value,
    lte: (one) => one <= value,
    gt: (one) => one > value,
    gte: (one) => one >= value,
  };
  return (text) => text.trim() !== '' && orders[than](Number(text));
}

const PLACED: Record<FieldPlace, (text: string, other: string) => boolean> = {
  whole: (text, other) => text === other,
  begins: (text, other) => text.startsWith(other),
  ends: (text, other) => text.endsWith(other),
  within: (text, other) => text.includes(other),
};

function otherFieldFits(field: string, { name, place, cased }: Extract<ValueTest, { kind: 'field' }>): Fits {
  const fits = PLACED[place];
  return ({ texts, lower }) => {
    const read = cased ? texts : lower;
    const others = read(name);
    return read(field)?.some((text) => others?.some((other) => fits(text, other))) ?? false;
  };
}
