import { isIP, isIPv4 } from 'node:net';
import { encoded } from './encoding.ts';
import type { Modified } from './modifiers.ts';
import { beginning, ending, plainText, readPattern, within } from './pattern.ts';
import { refuse } from './refusal.ts';
import type { FieldPlace, PatternPart, ValueTest } from './rule.ts';

type Scalar = string | number | boolean | null;

type Regex = Extract<ValueTest, { kind: 'regex' }>;

/** @returns the reason why an expression cannot be used, as a text */
export type ReadRegex = (written: Omit<Regex, 'kind' | 'needs'>) => Regex | string;

type Line = { path: string; modified: Modified; readRegex: ReadRegex };

/** The tests for one value of a line: several where it may be written in several ways. @throws SigmaError */
export function testsOf(line: Line, value: unknown): ValueTest[] {
  const { path, modified } = line;
  if (!isScalar(value)) return refuse(path, 'must be a text, a number, true, false or null');
  if (modified.compares !== null) return [comparison(line, value)];
  if (value === null) return isPlain(modified) ? [{ kind: 'absent' }] : refuse(path, 'null takes no modifier but neq');
  if (modified.has('fieldref')) return [fieldTest(line, value)];
  const cased = modified.has('cased');
  return writings(line, String(value)).map((parts) => ({ kind: 'text', parts: placed(modified, parts), cased }));
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const isPlain = ({ places, encodes, has }: Modified) =>
  places === null && encodes === null && !has('windash') && !has('fieldref') && !has('cased') && !has('all');

function comparison({ path, modified, readRegex }: Line, value: Scalar): ValueTest {
  const { compares, flags } = modified;
  if (compares === 'exists')
    return typeof value === 'boolean' ? { kind: 'exists', wanted: value } : refuse(path, 'must be true or false');
  if (compares === 're') {
    if (typeof value !== 'string') return refuse(path, 'must be a text');
    const [insensitive, multiline, dotAll] = [flags.has('i'), flags.has('m'), flags.has('s')];
    const regex = readRegex({ source: value, insensitive, multiline, dotAll });
    return typeof regex === 'string' ? refuse(path, regex) : regex;
  }
  if (compares === 'cidr') return network(path, value);
  if (compares === null || value === null || value === '' || !Number.isFinite(Number(value)))
    return refuse(path, 'must be a number');
  return { kind: 'number', than: compares, value: Number(value) };
}

function network(path: string, value: Scalar): ValueTest {
  const [address = '', bits = '', ...more] = String(value).split('/');
  const most = isIPv4(address) ? 32 : 128;
  if (isIP(address) === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most || more.length > 0)
    return refuse(path, 'must be a network such as 10.0.0.0/8');
  return { kind: 'network', address, bits: Number(bits), family: isIPv4(address) ? 'ipv4' : 'ipv6' };
}

const PLACES = { contains: 'within', startswith: 'begins', endswith: 'ends' } as const satisfies Record<
  string,
  FieldPlace
>;

function fieldTest({ path, modified }: Line, value: Scalar): ValueTest {
  if (typeof value !== 'string' || value === '') return refuse(path, 'must be the name of a field');
  const place = modified.places === null ? 'whole' : PLACES[modified.places];
  return { kind: 'field', name: value, place, cased: modified.has('cased') };
}

/** The value in each form that an event may have. */
function writings({ path, modified }: Line, value: string): PatternPart[][] {
  const patterns = modified.has('windash') ? dashed(path, value).map(readPattern) : [readPattern(value)];
  const { encodes, widens } = modified;
  if (encodes === null) return patterns;
  return patterns.flatMap((parts) => {
    const text = plainText(parts);
    if (text === undefined || text === '') return refuse(path, `${encodes} takes a text without wildcards`);
    return encoded(text, { encodes, widens }).map((one): PatternPart[] => [{ text: one }]);
  });
}

function placed({ places, encodes }: Modified, parts: readonly PatternPart[]): readonly PatternPart[] {
  if (places === 'contains' || (places === null && encodes === 'base64offset')) return within(parts);
  if (places === 'startswith') return beginning(parts);
  return places === 'endswith' ? ending(parts) : parts;
}

const DASHES = ['-', '/', '–', '—', '―'];
const OPTION = /(?<![\w–—―/-])[-/–—―](?=\w)/g;
const MAX_OPTIONS = 3;

/** An option may begin with any of the dashes. @throws SigmaError for a value with so many options that the ways are too many */
function dashed(path: string, value: string): string[] {
  const pieces = value.split(OPTION);
  if (pieces.length - 1 > MAX_OPTIONS) refuse(path, `windash takes at most ${MAX_OPTIONS} options in a value`);
  const [first = '', ...rest] = pieces;
  return rest.reduce((ways, piece) => ways.flatMap((way) => DASHES.map((dash) => way + dash + piece)), [first]);
}
