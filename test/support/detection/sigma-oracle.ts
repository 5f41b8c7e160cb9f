import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/*
 * Rules of Sigma judged a second time, from the specification (2.1) alone and without any haste: no code is shared with shared/soc/sigma.
 */

type Value = string | boolean | null;
type Tree = Value | Tree[] | { [name: string]: Tree };

/** An event by its fields, and the texts in which words may be anywhere. */
export type OracleEvent = { fields: Record<string, string | number | boolean | string[]>; texts: readonly string[] };

/** A value is the text that stands in the rule; without quotes it may also be true, false or null. */
function treeOf(node: unknown): Tree {
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [String(treeOf(key)), treeOf(value)]));
  if (isSeq(node)) return node.items.map(treeOf);
  if (!isScalar(node)) return null;
  if (node.type !== 'PLAIN') return String(node.value);
  if (node.value === null || typeof node.value === 'boolean') return node.value;
  return node.source ?? String(node.value);
}

const detectionOf = (content: string): Record<string, Tree> =>
  (treeOf(parseDocument(content).contents) as { detection: Record<string, Tree> }).detection;

/** The lines of each search of a text: of each of its maps, the keys with their values. */
export function linesOf(content: string): { name: string; maps: [key: string, values: Value[]][][] }[] {
  const { condition: _, ...searches } = detectionOf(content);
  const mapOf = (one: Tree) =>
    Object.entries(typeof one === 'object' && one !== null ? one : { '': one }).map(
      ([key, values]): [string, Value[]] => [key, [values].flat() as Value[]],
    );
  return Object.entries(searches).map(([name, search]) => ({ name, maps: [search].flat().map(mapOf) }));
}

/** Whether an event fits the first document of a text. */
export function sigmaOracle(content: string): (event: OracleEvent) => boolean {
  const { condition, ...searches } = detectionOf(content);
  const conditions = [condition].flat().map((one) => conditionOf(String(one), Object.keys(searches)));
  return (event) => conditions.some((holds) => holds((name) => searchFits(searches[name] ?? null, event)));
}

/** The condition as an expression of JavaScript: a list of searches is joined by `||` or `&&`. */
function conditionOf(condition: string, names: readonly string[]): (has: (name: string) => boolean) => boolean {
  const call = (name: string) => `has(${JSON.stringify(name)})`;
  const some = (count: string, pattern: string) => {
    const isMeant = (name: string) =>
      pattern.toLowerCase() === 'them' ? !name.startsWith('_') : globFits(lettersOf(pattern), name);
    return `(${names
      .filter(isMeant)
      .map(call)
      .join(count.toLowerCase() === 'all' ? '&&' : '||')})`;
  };
  const SIGNS: Record<string, string> = { and: '&&', or: '||', not: '!', '(': '(', ')': ')' };
  const expression = [...condition.matchAll(/\b(1|any|all) of ([^\s()]+)|[()]|[^\s()]+/gi)].map(
    ([word, count, pattern]) =>
      count !== undefined && pattern !== undefined ? some(count, pattern) : (SIGNS[word.toLowerCase()] ?? call(word)),
  );
  return new Function('has', `return ${expression.join(' ')}`) as (has: (name: string) => boolean) => boolean;
}

function searchFits(search: Tree, event: OracleEvent): boolean {
  if (Array.isArray(search)) return search.some((one) => searchFits(one, event));
  if (typeof search === 'object' && search !== null)
    return Object.entries(search).every(([key, value]) => lineFits(key, [value].flat() as Value[], event));
  return wordFits(search, [], event);
}

function lineFits(key: string, values: readonly Value[], event: OracleEvent): boolean {
  const [field = '', ...modifiers] = key.split('|');
  const one = (value: Value) =>
    field === '' ? wordFits(value, modifiers, event) : valueFits(value, { field, modifiers, event });
  if (modifiers.includes('neq')) return !values.some(one);
  return modifiers.includes('all') ? values.every(one) : values.some(one);
}

function wordFits(value: Value, modifiers: readonly string[], { texts }: OracleEvent): boolean {
  if (modifiers.includes('re')) return texts.some(expressionFits(String(value), modifiers));
  return placedFit(waysOf(String(value), modifiers), ['contains', ...modifiers], texts);
}

type Line = { field: string; modifiers: readonly string[]; event: OracleEvent };

function valueFits(value: Value, { field, modifiers, event }: Line): boolean {
  const has = (name: string) => modifiers.includes(name);
  const textsOf = (name: string) => (Object.hasOwn(event.fields, name) ? [event.fields[name]].flat().map(String) : []);
  if (has('exists')) return Object.hasOwn(event.fields, field) === value;
  if (value === null) return !Object.hasOwn(event.fields, field);
  const texts = textsOf(field);
  const order = (['lt', 'lte', 'gt', 'gte'] as const).find(has);
  if (order) return texts.some((text) => text.trim() !== '' && numbersAre(order, Number(text), Number(value)));
  if (has('cidr')) return texts.some((text) => isInNetwork(text, String(value)));
  if (has('re')) return texts.some(expressionFits(String(value), modifiers));
  const others = has('fieldref') ? textsOf(String(value)).map(literally) : waysOf(String(value), modifiers);
  return placedFit(others, modifiers, texts);
}

/** Letter case counts with `cased` alone. */
function placedFit(values: readonly string[], modifiers: readonly string[], texts: readonly string[]): boolean {
  const has = (name: string) => modifiers.includes(name);
  const isWithin = has('contains') || (has('base64offset') && !has('startswith') && !has('endswith'));
  const same = (text: string) => (has('cased') ? text : text.toLowerCase());
  const patterns = values.map((value) => [
    ...(isWithin || has('endswith') ? ['*'] : []),
    ...lettersOf(same(value)),
    ...(isWithin || has('startswith') ? ['*'] : []),
  ]);
  return texts.map(same).some((text) => patterns.some((pattern) => globFits(pattern, text)));
}

const numbersAre = (order: 'lt' | 'lte' | 'gt' | 'gte', one: number, other: number): boolean =>
  ({ lt: one < other, lte: one <= other, gt: one > other, gte: one >= other })[order];

/** A flag may also begin the expression: `(?i)`. Without letter case, ſ is an s and the sign of Kelvin a k. */
function expressionFits(source: string, modifiers: readonly string[]): (text: string) => boolean {
  const [all = '', own = ''] = /^\(\?([ims]+)\)/.exec(source) ?? [];
  const flags = new Set([...own, ...['i', 'm', 's'].filter((flag) => modifiers.includes(flag))]);
  const expression = new RegExp(source.slice(all.length), [...flags].join(''));
  return (text) => expression.test(flags.has('i') ? text.replaceAll('ſ', 's').replaceAll('\u212a', 'k') : text);
}

const literally = (text: string): string => text.replaceAll(/[\\*?]/g, '\\$&');

const DASHES = ['-', '/', '–', '—', '―'];

/** The patterns that a value stands for: any dash before an option, and its forms in Base64. */
function waysOf(value: string, modifiers: readonly string[]): string[] {
  let ways = [value];
  if (modifiers.includes('windash')) {
    const places = [...value.matchAll(/[-/–—―]/g)].map(({ index }) => index).filter((at) => isOption(value, at));
    for (const at of places)
      ways = ways.flatMap((way) => DASHES.map((dash) => way.slice(0, at) + dash + way.slice(at + 1)));
  }
  const wide = modifiers.find((one) => ['wide', 'utf16le', 'utf16be', 'utf16'].includes(one));
  if (modifiers.includes('base64')) return ways.map((way) => literally(bytesOf(way, wide).toString('base64')));
  if (!modifiers.includes('base64offset')) return ways;
  return ways.flatMap((way) => [0, 1, 2].map((offset) => literally(fixedBase64(bytesOf(way, wide), offset))));
}

const isOption = (value: string, at: number): boolean =>
  /[A-Za-z0-9_]/.test(value[at + 1] ?? '') && !/[A-Za-z0-9_–—―/-]/.test(value[at - 1] ?? ' ');

function bytesOf(text: string, wide: string | undefined): Buffer {
  const bytes = Buffer.from(text.replaceAll(/\\(?=[\\*?])/g, ''), wide === undefined ? 'utf8' : 'utf16le');
  if (wide === 'utf16be') bytes.swap16();
  return wide === 'utf16' ? Buffer.concat([Buffer.of(0xff, 0xfe), bytes]) : bytes;
}

/** The characters that stay the same whatever bytes are before and behind. */
function fixedBase64(bytes: Buffer, offset: number): string {
  const around = [0, 0xff].map((byte) =>
    Buffer.concat([Buffer.alloc(offset, byte), bytes, Buffer.alloc(3, byte)]).toString('base64'),
  );
  const [one = '', other = ''] = around;
  const same = [...one].map((letter, at) => (letter === other[at] ? letter : ' ')).join('');
  return same.trim().split(' ')[0] ?? '';
}

function isInNetwork(address: string, network: string): boolean {
  const [base = '', bits = '0'] = network.split('/');
  const [one, other] = [bitsOf(address), bitsOf(base)];
  return one !== '' && one.length === other.length && one.slice(0, Number(bits)) === other.slice(0, Number(bits));
}

/** The bits of an address as a text; empty for what is no address. */
function bitsOf(address: string): string {
  const binary = (number: number, width: number) => number.toString(2).padStart(width, '0');
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address))
    return address
      .split('.')
      .map((part) => binary(Number(part), 8))
      .join('');
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - head.length - (tail?.length ?? 0) }, () => '0');
  const groups = tail ? [...head, ...zeros, ...tail] : head;
  if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return '';
  return groups.map((group) => binary(Number.parseInt(group, 16), 16)).join('');
}

const known = new Map<string, readonly string[]>();

/** The wildcards, and `=` before each other letter. A backslash escapes a wildcard or a backslash. */
function lettersOf(pattern: string): readonly string[] {
  const before = known.get(pattern);
  if (before) return before;
  const parts = [...pattern.matchAll(/\\[\\*?]|[\s\S]/g)].map(([part]) => part);
  const letters = parts.flatMap((part) => {
    if (part === '*' || part === '?') return [part];
    const plain = part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
    return plain.split('').map((letter) => `=${letter}`);
  });
  known.set(pattern, letters);
  return letters;
}

/** Of the wildcards, the last `*` is tried again further behind. */
function globFits(wanted: readonly string[], text: string): boolean {
  let [at, here, star, mark] = [0, 0, -1, 0];
  while (here < text.length) {
    if (wanted[at] === '*') [star, mark, at] = [at, here, at + 1];
    else if (wanted[at] === '?' || wanted[at]?.charCodeAt(1) === text.charCodeAt(here)) [at, here] = [at + 1, here + 1];
    else if (star >= 0) [at, mark, here] = [star + 1, mark + 1, mark + 1];
    else return false;
  }
  while (wanted[at] === '*') at++;
  return at === wanted.length;
}
