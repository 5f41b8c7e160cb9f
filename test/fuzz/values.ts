import type { Document, Schema } from './document.ts';

export type Dice = () => number;

export const oneOf = <T>(dice: Dice, values: readonly T[]): T => values[Math.floor(dice() * values.length)] as T;
const between = (dice: Dice, least: number, most: number): number => least + Math.floor(dice() * (most - least + 1));

const nested = (levels: number): unknown => (levels === 0 ? 1e300 : { a: nested(levels - 1) });
const wide = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', '', 'pk', 'a#b', '\ud800', 'x'.repeat(300)];
const NUMBERS = [0, -1, 1, 0.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e300, -1e300, 1e-200, 5e-324, 1e-7];
/** A word of 24 characters ends within a surrogate pair; U+FDFA becomes 18 characters when it is normalised. */
const TEXTS = [
  ...NAMES,
  `${'a'.repeat(23)}\ud801\udc28`,
  '\ufdfa'.repeat(60),
  '\u0000',
  '\ude00 half',
  ' ',
  'ß'.repeat(200),
  'İ'.repeat(120),
  'x'.repeat(5_000),
  '\u202egnp.exe',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '9007199254740993',
  '1e300',
  '-1',
  'null',
  '../../..',
  '%00',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is what an attacker sends
  '${jndi:ldap://x}',
  '=HYPERLINK("http://x")',
  'a@b',
  '٣',
  '10.0.0.0/33',
  '::ffff:10.0.0.1',
  'http://[::1',
  'https://user:pass@example.com:99999/',
  '*.*.*',
  '(a+)+$',
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-15',
];

/** Any value of JSON, chosen to be unexpected. */
export function anything(dice: Dice, depth = 0): unknown {
  const inner = () => anything(dice, depth + 1);
  const kinds = depth > 2 ? 4 : 8;
  return [
    () => oneOf(dice, NUMBERS),
    () => oneOf(dice, TEXTS),
    () => oneOf(dice, [true, false, null]),
    () => null,
    () => Array.from({ length: between(dice, 0, 3) }, inner),
    () => Object.fromEntries(Array.from({ length: between(dice, 0, 3) }, () => [oneOf(dice, NAMES), inner()])),
    () => nested(between(dice, 1, 40)),
    () => wide(between(dice, 0, 3_000)),
  ][between(dice, 0, kinds - 1)]?.();
}

/** A text at an edge, of whole characters, as a part of an address. */
export const anyPart = (dice: Dice): string => oneOf(dice, TEXTS).toWellFormed();

const FORMATS: Record<string, readonly string[]> = {
  uuid: ['01900000-0000-7000-8000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  'date-time': [
    '2026-01-15T09:30:00.000Z',
    '2099-12-31T23:59:59Z',
    '2024-02-29T00:00:00+14:00',
    '0000-01-01T00:00:00Z',
  ],
  date: ['2026-01-15', '2024-02-29', '9999-12-31'],
  email: ['analyst@example.com'],
  uri: ['https://example.com/', 'https://[2001:db8::1]:8443/a?b#c', 'http://xn--bcher-kva.example/%F0%9F%98%80'],
  base64: ['eA==', ''],
};

type Maker = { dice: Dice; resolve: Document['resolve'] };

/** A value that the schema admits as far as it says, often at its edge. */
export function madeFrom(maker: Maker, given: Schema, depth = 0): unknown {
  const { dice } = maker;
  const schema = maker.resolve(given);
  const inner = (one: Schema) => madeFrom(maker, one, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return oneOf(dice, schema.enum);
  const examples = schema.examples ?? (schema.example === undefined ? [] : [schema.example]);
  if (examples.length > 0 && dice() < 0.5) return oneOf(dice, examples);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return inner(oneOf(dice, choices));
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => Object(inner(one))));
  if (schema.properties || schema.type === 'object') return objectOf(maker, schema, depth);
  if (schema.items || schema.type === 'array') return listOf(maker, schema, depth);
  const type = Array.isArray(schema.type) ? oneOf(dice, schema.type) : schema.type;
  if (type === 'string') return textOf(dice, schema);
  if (type === 'number' || type === 'integer') return numberOf(dice, schema, type);
  if (type === 'boolean') return dice() < 0.5;
  return type === 'null' ? null : anything(dice);
}

function objectOf(maker: Maker, { properties = {}, required = [], additionalProperties }: Schema, depth: number) {
  const { dice } = maker;
  const names = Object.keys(properties).filter((name) => required.includes(name) || dice() < 0.3 / (depth + 1));
  const known = names.map((name) => [name, madeFrom(maker, properties[name] ?? {}, depth + 1)]);
  if (typeof additionalProperties !== 'object' || depth > 4) return Object.fromEntries(known);
  const more = Array.from({ length: between(dice, 0, 2) }, () => [
    dice() < 0.5 ? `key${between(dice, 0, 9)}` : oneOf(dice, NAMES),
    madeFrom(maker, additionalProperties, depth + 1),
  ]);
  return Object.fromEntries([...known, ...more]);
}

function listOf(maker: Maker, { items = {}, minItems = 0, maxItems = 5 }: Schema, depth: number): unknown[] {
  const { dice } = maker;
  const isLong = depth < 2 && dice() < 0.02;
  const count = isLong
    ? Math.min(maxItems + between(dice, 0, 1), 300)
    : between(dice, minItems, Math.min(maxItems, minItems + 2));
  return Array.from({ length: count }, () => madeFrom(maker, items, depth + 1));
}

function textOf(dice: Dice, { format = '', minLength = 0, maxLength = 200 }: Schema): string {
  const known = FORMATS[format];
  if (known) return oneOf(dice, known);
  const most = Math.min(maxLength, 20_000);
  return (
    [
      () => `example ${between(dice, 0, 999)}`.slice(0, most).padEnd(minLength, 'x'),
      () => 'x'.repeat(minLength),
      () => 'ü'.repeat(most),
      () => oneOf(dice, TEXTS),
    ][between(dice, 0, 3)]?.() ?? ''
  );
}

function numberOf(dice: Dice, schema: Schema, type: string): number {
  const { minimum = schema.exclusiveMinimum ?? 0, maximum = 2 ** 53 - 1 } = schema;
  const value = oneOf(dice, [
    minimum,
    maximum,
    Math.min(maximum, minimum + 1),
    minimum + dice() * Math.min(100, maximum - minimum),
  ]);
  return type === 'integer' ? Math.floor(value) : value;
}

/** The value with one part of it, anywhere inside, changed. */
export function damaged(
  dice: Dice,
  value: unknown,
  change: (part: unknown) => unknown = () => anything(dice),
): unknown {
  if (typeof value !== 'object' || value === null || dice() < 0.1) return change(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return change(value);
    const at = between(dice, 0, value.length - 1);
    return value.map((part, n) => (n === at ? damaged(dice, part, change) : part));
  }
  const names = Object.keys(value);
  if (names.length === 0) return change(value);
  const at = oneOf(dice, names);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, name === at ? damaged(dice, part, change) : part]),
  );
}
