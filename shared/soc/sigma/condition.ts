import { fitsExactly } from '#shared/platform/runtime/wildcard.ts';
import { refuse } from './refusal.ts';
import type { Condition } from './rule.ts';

const PATH = 'detection.condition';
const MAX_DEPTH = 20;
const WORD = /\s*(?:([()|])|([^\s()|]+))/y;

/**
 * Reads a condition such as `selection and not 1 of filter_*`. Binding, the loosest first: or, and, not, `1 of`, brackets.
 * @param names of the searches
 * @throws SigmaError
 */
export function readCondition(text: string, names: readonly string[]): Condition {
  const reader = { words: wordsOf(text), names, at: 0, depth: 0 };
  const condition = readAny(reader);
  const left = reader.words[reader.at];
  if (left === '|')
    refuse(PATH, 'must not count events behind |: write a correlation rule of the type event_count or value_count');
  if (left !== undefined) refuse(PATH, `must end before ${left}`);
  return condition;
}

type Reader = { words: readonly string[]; names: readonly string[]; at: number; depth: number };

function wordsOf(text: string): string[] {
  const found = [...text.matchAll(new RegExp(WORD, 'gy'))];
  return found.map(([, sign, word = '']) => sign ?? word);
}

const isNext = ({ words, at }: Reader, word: string) => words[at]?.toLowerCase() === word;

function takes(reader: Reader, word: string): boolean {
  const here = isNext(reader, word);
  if (here) reader.at++;
  return here;
}

const readAny = (reader: Reader): Condition => joined(reader, 'or', readAll);
const readAll = (reader: Reader): Condition => joined(reader, 'and', readNot);

function joined(reader: Reader, kind: 'and' | 'or', read: (reader: Reader) => Condition): Condition {
  const of = [read(reader)];
  while (takes(reader, kind)) of.push(read(reader));
  const [only] = of;
  return of.length === 1 && only ? only : { kind, of };
}

function readNot(reader: Reader): Condition {
  let negated = false;
  while (takes(reader, 'not')) negated = !negated;
  const of = readOne(reader);
  return negated ? { kind: 'not', of } : of;
}

function readOne(reader: Reader): Condition {
  if (takes(reader, '(')) {
    if (++reader.depth > MAX_DEPTH) refuse(PATH, `must have at most ${MAX_DEPTH} brackets within each other`);
    const inside = readAny(reader);
    if (!takes(reader, ')')) refuse(PATH, 'must close each bracket');
    reader.depth--;
    return inside;
  }
  const word = reader.words[reader.at++] ?? refuse(PATH, 'ends too early');
  return takes(reader, 'of') ? readSome(reader, word) : search(reader, word);
}

function search({ names }: Reader, word: string): Condition {
  if (!names.includes(word)) refuse(PATH, `names ${word}, which is none of the searches ${names.join(', ')}`);
  return { kind: 'search', name: word };
}

/** `1 of them`, `all of selection_*`. `them` excludes searches whose names begin with `_`. */
function readSome(reader: Reader, count: string): Condition {
  const kinds = { 1: 'or', any: 'or', all: 'and' } as const;
  const kind = Object.hasOwn(kinds, count.toLowerCase()) && kinds[count.toLowerCase() as keyof typeof kinds];
  if (!kind) return refuse(PATH, `${count} of: must be 1, any or all`);
  const pattern = reader.words[reader.at++] ?? refuse(PATH, 'ends too early');
  const isThem = pattern.toLowerCase() === 'them';
  const named = reader.names.filter((name) => (isThem ? !name.startsWith('_') : fitsExactly(pattern, name)));
  if (named.length === 0) refuse(PATH, `${count} of ${pattern}: there is no such search`);
  return { kind, of: named.map((name) => ({ kind: 'search', name })) };
}
