import { setIn } from '#shared/platform/runtime/set-in.ts';
import type { EventTexts } from '../sigma/event.ts';
import { MIN_NEEDLE, type Needle, namedNeedles, needlesOf } from '../sigma/needles.ts';
import type { SigmaRule } from '../sigma/rule.ts';

/** `always`: rules that can match an event without any needle. */
type RuleIndex = { always: ReadonlySet<number>; rulesIn: (event: EventTexts) => Set<number> };

/** Finds the rules, by their number, that can match an event: of thousands, an event meets those whose texts it has. */
export function indexRules(rules: readonly SigmaRule[]): RuleIndex {
  const cost = costsIn(rules);
  const always = new Set<number>();
  const { add, rulesIn } = newIndex();
  for (const [n, rule] of rules.entries()) {
    const needles = needlesOf(rule, cost);
    if (!needles?.every((needle) => add(needle, n))) always.add(n);
  }
  return { always, rulesIn };
}

const keyOf = ({ field, text, isWhole }: Needle): string => JSON.stringify([field, text, isWhole]);

/** A text that many rules name is in many events. */
function costsIn(rules: readonly SigmaRule[]): (needle: Needle) => number {
  const counts = new Map<string, number>();
  for (const needle of rules.flatMap(namedNeedles)) {
    const key = keyOf(needle);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (needle) => counts.get(keyOf(needle)) ?? 1;
}

/** The rules with a needle. `at`: where its gram is in the needle. */
type Entry = { text: string; at: number; rules: number[] };
type OfField = { whole: Map<string, number[]>; parts: Map<string, Entry>; byGram: Map<number, Entry[]> };

const newField = (): OfField => ({ whole: new Map(), parts: new Map(), byGram: new Map() });

/** Grams by the code of their characters: each text is read once for all needles. */
const CODES = 65_536;
/** With more needles of one gram, a text of this gram would cost too much. */
const MAX_ENTRIES = 32;

/** Three characters from here, or one beyond ASCII. */
const codesAt = (text: string, at: number): number[] => [
  ...(at + MIN_NEEDLE <= text.length ? [codeOfThree(text, at)] : []),
  ...(text.charCodeAt(at) > ASCII ? [text.charCodeAt(at)] : []),
];

const ASCII = 127;
const codeOfThree = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & (CODES - 1);

function newIndex() {
  const fields = new Map<string, OfField>();
  const codes = new Uint8Array(CODES);
  return {
    /** @returns false where there is no room */
    add({ field, text, isWhole }: Needle, rule: number): boolean {
      const ofField = setIn(fields, field, newField);
      if (isWhole) return setIn(ofField.whole, text, () => []).push(rule) > 0;
      const entry = ofField.parts.get(text) ?? addEntry(ofField, codes, text);
      return entry !== undefined && entry.rules.push(rule) > 0;
    },
    rulesIn(event: EventTexts): Set<number> {
      const found = new Set<number>();
      for (const name of event.names()) {
        const ofField = fields.get(name);
        if (!ofField) continue;
        for (const text of event.lower(name) ?? []) {
          for (const rule of ofField.whole.get(text) ?? []) found.add(rule);
          scan(text, codes, ofField, found);
        }
      }
      return found;
    },
  };
}

/** Finds a needle by its rarest gram. */
function addEntry({ parts, byGram }: OfField, codes: Uint8Array, text: string): Entry | undefined {
  const grams = Array.from({ length: text.length }, (_, at) => codesAt(text, at).map((code) => ({ at, code }))).flat();
  const usesOf = ({ code }: { code: number }) => byGram.get(code)?.length ?? 0;
  const rarest = grams.reduce((best, one) => (usesOf(one) < usesOf(best) ? one : best));
  if (usesOf(rarest) >= MAX_ENTRIES) return undefined;
  const entry = { text, at: rarest.at, rules: [] };
  codes[rarest.code] = 1;
  setIn(byGram, rarest.code, () => []).push(entry);
  parts.set(text, entry);
  return entry;
}

function scan(text: string, codes: Uint8Array, { byGram }: OfField, found: Set<number>): void {
  if (byGram.size === 0) return;
  const look = (code: number, at: number) => {
    for (const entry of byGram.get(code) ?? [])
      if (text.startsWith(entry.text, at - entry.at)) for (const rule of entry.rules) found.add(rule);
  };
  for (let at = 0; at < text.length; at++) {
    const code = codeOfThree(text, at);
    if (codes[code] === 1) look(code, at);
    const one = text.charCodeAt(at);
    if (one > ASCII && codes[one] === 1) look(one, at);
  }
}
