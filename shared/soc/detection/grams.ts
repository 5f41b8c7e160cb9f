import { MIN_NEEDLE, type Needle } from '../sigma/needles.ts';

/** The rules with a needle, by their field. `end`: where its gram ends in the needle. */
export type Entry = { text: string; end: number; rules: Map<string | null, number[]> };

/** With more needles of one gram, a text of this gram would cost too much. */
const MAX_ENTRIES = 32;

/** Characters of a gram. Texts that have one of five characters are few; one of three is for shorter needles, a letter beyond ASCII for the shortest. */
const [LONG, SHORT] = [5, MIN_NEEDLE];
const LAST_OF_ASCII = 0x7f;
/** Bits by which each character moves those before it, so that the number of a gram has its characters alone. */
const BITS = 6;
const LONG_MASK = 2 ** (LONG * BITS) - 1;
const SHORT_MASK = 2 ** (SHORT * BITS) - 1;
const withNext = (number: number, code: number): number => ((number << BITS) ^ code) & LONG_MASK;

/** `end`: the place of its last character. */
type Gram = { table: GramTable; number: number; end: number };

/**
 * Finds needles in texts by one gram of each needle: five characters, three of a shorter needle, or one. A text is read once for the needles
 * of all fields, and most of its grams belong to no needle.
 */
export function newGrams(needles: readonly Needle[]) {
  const texts = new Set(needles.map(({ text }) => text));
  const known = new Map<string, Entry>();
  const [long, short, single] = [newTable(texts.size), newTable(texts.size), newTable(texts.size)];
  const tails = newTails();
  const gramsOf = (text: string): Gram[] => {
    const found: Gram[] = [];
    for (let end = 0, number = 0; end < text.length; end++) {
      const code = text.charCodeAt(end);
      number = withNext(number, code);
      if (text.length >= LONG && end >= LONG - 1) found.push({ table: long, number, end });
      if (text.length < LONG && end >= SHORT - 1) found.push({ table: short, number: number & SHORT_MASK, end });
      if (text.length < SHORT && code > LAST_OF_ASCII) found.push({ table: single, number: code, end });
    }
    return found;
  };
  for (const text of texts) for (const { table, number } of gramsOf(text)) table.note(number);
  /** Finds a needle by the gram that the fewest needles have. */
  const newEntry = (text: string): Entry | undefined => {
    const [first, ...more] = gramsOf(text).filter(({ table, number }) => table.hasRoom(number));
    if (!first) return undefined;
    const usesOf = ({ table, number }: Gram) => table.usesOf(number);
    const { table, number, end } = more.reduce((best, one) => (usesOf(one) < usesOf(best) ? one : best), first);
    const entry = { text, end, rules: new Map() };
    table.add(number, entry);
    tails.add(number);
    known.set(text, entry);
    return entry;
  };
  return {
    /** Undefined where there is no room. */
    entryOf: (text: string): Entry | undefined => known.get(text) ?? newEntry(text),
    scan(text: string, note: (entry: Entry) => void): void {
      const look = (entries: readonly Entry[], at: number) => {
        for (const entry of entries) if (text.startsWith(entry.text, at - entry.end)) note(entry);
      };
      for (let at = 0, number = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        number = withNext(number, code);
        if (!tails.has(number) && code <= LAST_OF_ASCII) continue;
        const ofLong = listIn(long, number);
        if (ofLong > 0) look(long.list(ofLong), at);
        const ofShort = listIn(short, number & SHORT_MASK);
        if (ofShort > 0) look(short.list(ofShort), at);
        const ofSingle = code > LAST_OF_ASCII ? listIn(single, code) : 0;
        if (ofSingle > 0) look(single.list(ofSingle), at);
      }
    },
  };
}

/** The last three characters of all grams: most places of a text end here, at a bit that is near. */
function newTails() {
  const words = new Uint32Array((SHORT_MASK + 1) / 32);
  const wordOf = (number: number) => (number & SHORT_MASK) >>> 5;
  const bitOf = (number: number) => 1 << (number & 31);
  return {
    add(number: number): void {
      words[wordOf(number)] = (words[wordOf(number)] ?? 0) | bitOf(number);
    },
    has: (number: number): boolean => ((words[wordOf(number)] ?? 0) & bitOf(number)) !== 0,
  };
}

/** A power of two with eight places for each needle: texts of other grams then rarely meet one. */
const [LEAST_BITS, MOST_BITS] = [10, 17];
const bitsFor = (needles: number): number =>
  Math.min(MOST_BITS, Math.max(LEAST_BITS, Math.ceil(Math.log2(8 * needles + 1))));

/** Spreads numbers of grams over a table (Knuth, multiplicative hashing). */
const SPREAD = 0x9e3779b1;

/** The list of needles in a place of a table, and the mark of their gram: 0 for several grams. Numbers beside each other are read fast. */
type Slots = { slots: Uint32Array; shift: number };
const LIST_BITS = 16;
const LIST_MASK = 2 ** LIST_BITS - 1;
const placeIn = ({ shift }: Slots, number: number): number => Math.imul(number, SPREAD) >>> shift;
const markOf = (number: number): number => ((number >>> 13) ^ number) & LIST_MASK || 1;

/** The number of the list of needles with a gram: 0 for none. */
function listIn(table: Slots, number: number): number {
  const slot = table.slots[placeIn(table, number)] ?? 0;
  if (slot === 0) return 0;
  const mark = slot >>> LIST_BITS;
  return mark === 0 || mark === markOf(number) ? slot & LIST_MASK : 0;
}

type GramTable = ReturnType<typeof newTable>;

function newTable(needles: number) {
  const bits = bitsFor(needles);
  const slots = new Uint32Array(2 ** bits);
  const uses = new Uint32Array(slots.length);
  const lists: Entry[][] = [[]];
  const list = (n: number): Entry[] => lists[n] ?? [];
  const placeOf = (number: number) => placeIn({ slots, shift: 32 - bits }, number);
  const listOf = (number: number) => list((slots[placeOf(number)] ?? 0) & LIST_MASK);
  return {
    slots,
    shift: 32 - bits,
    list,
    hasRoom: (number: number): boolean => listOf(number).length < MAX_ENTRIES && lists.length <= LIST_MASK,
    usesOf: (number: number): number => uses[placeOf(number)] ?? 0,
    note(number: number): void {
      uses[placeOf(number)] = (uses[placeOf(number)] ?? 0) + 1;
    },
    add(number: number, entry: Entry): void {
      const place = placeOf(number);
      const slot = slots[place] ?? 0;
      const isSame = slot === 0 || slot >>> LIST_BITS === markOf(number);
      const n = slot === 0 ? lists.push([]) - 1 : slot & LIST_MASK;
      slots[place] = ((isSame ? markOf(number) << LIST_BITS : 0) | n) >>> 0;
      list(n).push(entry);
    },
  };
}
