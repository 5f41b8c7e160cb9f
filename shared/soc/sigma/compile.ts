import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { EventTexts } from './event.ts';
import { patternTest, type TextTest, within } from './pattern.ts';
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
import { readingSteps, type Steps, searchSteps, take } from './steps.ts';

/** Whether an event matches a rule; does not test the log source. @throws OverBudget when no steps are left */
export type Fits = (event: EventTexts, steps: Steps) => boolean;

/** A rule as a function that reads no more of an event than it needs. */
export function compileRule(
  { searches, condition }: Pick<SigmaRule, 'searches' | 'condition'>,
  makeRegex: MakeRegex,
): Fits {
  const compiled = new Map(
    [...searches].map(([name, search]) => [name, compileSearch(search, { place: name, makeRegex })]),
  );
  return compileCondition(condition, compiled);
}

function compileCondition(condition: Condition, searches: ReadonlyMap<string, Fits>): Fits {
  if (condition.kind === 'search') return searches.get(condition.name) ?? (() => false);
  if (condition.kind === 'not') {
    const inner = compileCondition(condition.of, searches);
    return (event, steps) => !inner(event, steps);
  }
  const of = condition.of.map((one) => compileCondition(one, searches));
  return condition.kind === 'and' ? allOf(of) : anyOf(of);
}

function allOf(of: readonly Fits[]): Fits {
  const [only] = of;
  return of.length === 1 && only ? only : (event, steps) => of.every((fits) => fits(event, steps));
}

function anyOf(of: readonly Fits[]): Fits {
  const [only] = of;
  return of.length === 1 && only ? only : (event, steps) => of.some((fits) => fits(event, steps));
}

/** `place`: where in the rule a test is, for the message when it needs too many steps. */
type Making = { place: string; makeRegex: MakeRegex };

const compileSearch = (search: Search, making: Making): Fits =>
  anyOf(search.map((lines) => allOf(lines.map((line) => compileLine(line, making)))));

function compileLine({ field, tests, fits }: FieldTest, { place, makeRegex }: Making): Fits {
  const making = { place: field === null ? place : `${place}.${field}`, makeRegex };
  const some = anyOf([...exactTexts(field, tests, making), ...others(field, tests, making)]);
  return fits === 'none' ? (event, steps) => !some(event, steps) : some;
}

/** The text of a test for one exact text in any letter case. */
function exactText(test: ValueTest): string | undefined {
  const [only, ...more] = test.kind === 'text' && !test.cased ? test.parts : [];
  return typeof only === 'object' && more.length === 0 ? only.text.toLowerCase() : undefined;
}

/** One lookup tests all exact texts of a field. */
function exactTexts(field: string | null, tests: readonly ValueTest[], { place }: Making): Fits[] {
  if (field === null) return [];
  const wanted = new Set(tests.flatMap((test) => exactText(test) ?? []));
  const isWanted: TextTest = (text, steps) => {
    take(steps, readingSteps(text.length));
    return wanted.has(text);
  };
  return wanted.size === 0 ? [] : [triedOn(({ lower }) => lower(field), isWanted, place)];
}

const others = (field: string | null, tests: readonly ValueTest[], making: Making): Fits[] =>
  tests.filter((test) => field === null || exactText(test) === undefined).map((test) => valueFits(field, test, making));

/** A test of some texts of an event. Each try takes a step, also where the event lacks the field. */
function triedOn(read: (event: EventTexts) => readonly string[] | undefined, fits: TextTest, at: string): Fits {
  return (event, steps) => {
    steps.at = at;
    take(steps, 1);
    return read(event)?.some((text) => fits(text, steps)) ?? false;
  };
}

function valueFits(field: string | null, test: ValueTest, { place, makeRegex }: Making): Fits {
  const at = `${place}: ${shown(test)}`;
  if (field === null) return wordFits(test, { place: at, makeRegex });
  if (test.kind === 'absent') return ({ texts }) => texts(field) === undefined;
  if (test.kind === 'exists') return ({ texts }) => (texts(field) !== undefined) === test.wanted;
  if (test.kind === 'field') return otherFieldFits(field, test, at);
  if (test.kind !== 'text') return triedOn(({ texts }) => texts(field), textTest(test, makeRegex), at);
  const fits = patternTest(test.cased ? test.parts : test.parts.map(lowerPart));
  return triedOn(({ texts, lower }) => (test.cased ? texts : lower)(field), fits, at);
}

const MAX_SHOWN = 80;

/** A value approximately as in its rule. */
function shown(test: ValueTest): string {
  const text = textOf(test);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function textOf(test: ValueTest): string {
  const signs = { any: '*', one: '?' } as const;
  if (test.kind === 'text')
    return test.parts.map((part) => (typeof part === 'object' ? part.text : signs[part])).join('');
  if (test.kind === 'regex') return test.source;
  return test.kind === 'field' ? test.name : test.kind;
}

/** A word may be anywhere in any text of the event. */
function wordFits(test: ValueTest, { place, makeRegex }: Making): Fits {
  if (test.kind === 'regex') return triedOn(({ everything }) => everything(), makeRegex(test), place);
  if (test.kind !== 'text') return () => false;
  const fits = patternTest(within(test.cased ? test.parts : test.parts.map(lowerPart)));
  return triedOn((event) => (test.cased ? event.everything : event.everythingLower)(), fits, place);
}

const lowerPart = (part: PatternPart): PatternPart =>
  typeof part === 'object' ? { text: part.text.toLowerCase() } : part;

/** The price of reading an address. */
const ADDRESS_STEPS = 50;

function textTest(test: Extract<ValueTest, { kind: 'regex' | 'network' | 'number' }>, makeRegex: MakeRegex): TextTest {
  if (test.kind === 'regex') return makeRegex(test);
  if (test.kind === 'number') return numberTest(test.than, test.value);
  const network = new BlockList();
  network.addSubnet(test.address, test.bits, test.family);
  return (text, steps) => {
    take(steps, ADDRESS_STEPS + text.length);
    return (isIPv4(text) && network.check(text, 'ipv4')) || (isIPv6(text) && network.check(text, 'ipv6'));
  };
}

function numberTest(than: NumberOrder, value: number): TextTest {
  const orders: Record<NumberOrder, (one: number) => boolean> = {
    lt: (one) => one < value,
    lte: (one) => one <= value,
    gt: (one) => one > value,
    gte: (one) => one >= value,
  };
  return (text, steps) => {
    take(steps, 1 + text.length);
    return text.trim() !== '' && orders[than](Number(text));
  };
}

const PLACED: Record<FieldPlace, (text: string, other: string) => boolean> = {
  whole: (text, other) => text === other,
  begins: (text, other) => text.startsWith(other),
  ends: (text, other) => text.endsWith(other),
  within: (text, other) => text.includes(other),
};

function otherFieldFits(
  field: string,
  { name, place, cased }: Extract<ValueTest, { kind: 'field' }>,
  at: string,
): Fits {
  const fits = PLACED[place];
  return ({ texts, lower }, steps) => {
    steps.at = at;
    const read = cased ? texts : lower;
    const others = read(name);
    const isFitting = (text: string, other: string) => {
      take(steps, searchSteps(text.length, other));
      return fits(text, other);
    };
    return read(field)?.some((text) => others?.some((other) => isFitting(text, other))) ?? false;
  };
}
