import { setIn } from '#shared/platform/runtime/set-in.ts';
import type { EventTexts } from '../sigma/event.ts';
import { type Needle, namedNeedles, needlesOf } from '../sigma/needles.ts';
import type { SigmaRule } from '../sigma/rule.ts';
import { type Entry, newGrams } from './grams.ts';

type RuleIndex = {
  /** Rules that can match an event without any needle. */
  always: ReadonlySet<number>;
  /** Rules with a needle that may be in any text of an event. */
  anywhere: ReadonlySet<number>;
  /** @param isAnywhere whether to look for needles in all texts of the event. @returns each rule once */
  rulesIn: (event: EventTexts, isAnywhere: boolean) => number[];
};

/** Finds the rules, by their number, that can match an event: of thousands, an event meets those whose texts it has. */
export function indexRules(rules: readonly SigmaRule[]): RuleIndex {
  const cost = costsIn(rules);
  const always = new Set<number>();
  const anywhere = new Set<number>();
  const needles = rules.map((rule) => needlesOf(rule, cost));
  const { add, rulesIn } = newIndex(needles);
  for (const [n, some] of needles.entries()) {
    if (!some?.every((needle) => add(needle, n))) always.add(n);
    else if (some.some(({ field }) => field === null)) anywhere.add(n);
  }
  return { always, anywhere, rulesIn };
}

const keyOf = ({ field, text, isWhole }: Needle): string => JSON.stringify([field, text, isWhole]);

/** A text that may be anywhere in an event is in more events than a text of one field. */
const ANYWHERE = 10;

/** A text that many rules name is in many events. */
function costsIn(rules: readonly SigmaRule[]): (needle: Needle) => number {
  const counts = new Map<string, number>();
  for (const needle of rules.flatMap(namedNeedles)) {
    const key = keyOf(needle);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (needle) => (counts.get(keyOf(needle)) ?? 1) * (needle.field === null ? ANYWHERE : 1);
}

/** The rules by the whole texts of a field; `isSearched`: there are also needles that may be anywhere in it. */
type OfField = { whole: Map<string, number[]>; isSearched: boolean };

function newIndex(ofRules: readonly (readonly Needle[] | undefined)[]) {
  const needles = ofRules.flatMap((some) => some ?? []);
  const fields = new Map<string | null, OfField>();
  const ofField = (field: string | null) => setIn(fields, field, () => ({ whole: new Map(), isSearched: false }));
  const { ofFields = [], ofWords = [] } = Object.groupBy(
    needles.filter(({ isWhole }) => !isWhole),
    ({ field }) => (field === null ? 'ofWords' : 'ofFields'),
  );
  const [grams, words] = [newGrams(ofFields), newGrams(ofWords)];
  const seen = newSeen(ofRules.length);
  const foundIn = (texts: readonly string[], field: string | null) => {
    const note = ({ rules }: Entry) => seen.add(rules.get(field));
    for (const text of texts) (field === null ? words : grams).scan(text, note);
  };
  return {
    /** @returns false where there is no room */
    add({ field, text, isWhole }: Needle, rule: number): boolean {
      if (isWhole) return setIn(ofField(field).whole, text, () => []).push(rule) > 0;
      const entry = (field === null ? words : grams).entryOf(text);
      if (entry) ofField(field).isSearched = true;
      return entry !== undefined && setIn(entry.rules, field, () => []).push(rule) > 0;
    },
    rulesIn(event: EventTexts, isAnywhere: boolean): number[] {
      seen.clear();
      for (const field of event.names()) {
        const known = fields.get(field);
        const texts = known ? (event.lower(field) ?? []) : [];
        for (const text of texts) seen.add(known?.whole.get(text));
        if (known?.isSearched) foundIn(texts, field);
      }
      if (isAnywhere) foundIn(event.everythingLower(), null);
      return seen.rules();
    },
  };
}

/** The rules of an event: each event has a number, and a rule the number of the last event that had it. */
function newSeen(count: number) {
  const lastEvents = new Float64Array(count);
  let event = 0;
  let rules: number[] = [];
  return {
    clear(): void {
      event += 1;
      rules = [];
    },
    add(some: readonly number[] = []): void {
      for (const rule of some) {
        if (lastEvents[rule] === event) continue;
        lastEvents[rule] = event;
        rules.push(rule);
      }
    },
    rules: () => rules,
  };
}
