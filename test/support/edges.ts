import * as fc from 'fast-check';
import * as z from 'zod';
import { exampleOf } from '#infra/openapi/example.ts';

/*
 * Values at the edges of what a schema admits, and beyond. One field of an object is chosen and the others are those of
 * its example, so that most requests get past the first check and into the table.
 */

type Schema = z.core.$ZodType;
type Edgy = fc.Arbitrary<unknown>;

const NAMES = ['constructor', '__proto__', 'prototype', 'toString', '', 'pk', 'a#b', '\ud800', 'x'.repeat(300)];
const name = fc.constantFrom(...NAMES);

const number = fc.constantFrom(0, -1, 1, 0.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e300, -1e300, 1e-200, 5e-324, 1e-7);
/** A word of 24 characters ends within a surrogate pair; U+FDFA becomes 18 characters when it is normalised. */
const text = fc.constantFrom(
  ...NAMES,
  `${'a'.repeat(23)}\ud801\udc28`,
  '\ufdfa'.repeat(60),
  '\u0000',
  '\ud800',
  '\ude00 half',
  ' ',
  'ß'.repeat(200),
  'x'.repeat(5_000),
  '9007199254740993',
  '1e300',
  '-1',
  '../../..',
  '%00',
  '٣',
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
);
const deep = fc.integer({ min: 1, max: 40 }).map((levels) => nested(levels));
const wide = fc.integer({ min: 0, max: 3_000 }).map((count) => Object.fromEntries(keysTo(count)));
const keysTo = (count: number) => Array.from({ length: count }, (_, n) => [`k${n}`, n]);
const nested = (levels: number): unknown => (levels === 0 ? 1e300 : { a: nested(levels - 1) });

/** Any value of JSON. */
const anything: Edgy = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    number,
    text,
    fc.constantFrom(true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
    deep,
    wide,
  ),
})).value;

/** A value that the schema probably admits, at its edge. */
function fitting(schema: Schema): Edgy {
  if (schema instanceof z.ZodObject) return edgyObject(schema);
  if (schema instanceof z.ZodArray) return fc.array(edgy(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(edgy));
  if (schema instanceof z.ZodRecord) return edgyRecord(schema);
  if (schema instanceof z.ZodPipe)
    return fitting(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return numberWithin(schema);
  if (schema instanceof z.ZodString) return text;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight: 4, arbitrary: edgy(schema.def.innerType) });
  return anything;
}

function numberWithin({ minValue, maxValue }: z.ZodNumber): Edgy {
  const [least, most] = [minValue ?? 0, maxValue ?? 2 ** 53 - 1];
  return fc.constantFrom(least, most, least + 1e-200, least === 0 ? 1e-200 : least, least === 0 ? 5e-324 : most);
}

const edgyRecord = ({ keyType, valueType }: z.ZodRecord): Edgy =>
  fc
    .array(fc.tuple(keyType instanceof z.ZodEnum ? fitting(keyType) : name, edgy(valueType)), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries));

function edgyObject(schema: z.ZodObject): Edgy {
  const fields = Object.entries(schema.shape);
  const example = exampleOrNothing(schema);
  if (fields.length === 0) return fc.constant(example);
  return fc.constantFrom(...fields).chain(([key, field]) => edgy(field).map((value) => ({ ...example, [key]: value })));
}

function exampleOrNothing(schema: Schema): object {
  try {
    return Object(exampleOf(schema));
  } catch {
    return {};
  }
}

/** Mostly a value that fits, sometimes any other. */
export const edgy = (schema: Schema): Edgy =>
  fc.oneof({ weight: 5, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });

/** A part of an address: only whole characters have a place there. */
export const edgyPart = text.map((value) => value.toWellFormed());
