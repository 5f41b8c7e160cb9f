import * as z from 'zod';

type Schema = z.core.$ZodType;

/**
 * A valid value of a schema: its `.meta({ example })`, otherwise an invented value. Optional fields appear only if they
 * have an example, so that the result is a caller's first request.
 * @throws when no invented value fits; the schema then needs an example
 */
export function exampleOf(schema: Schema): unknown {
  const value = exampleFor(schema);
  const { success, error } = z.safeParse(schema, value);
  if (!success)
    throw new Error(`give this schema an example with .meta({ example }): ${JSON.stringify(value)} ${error.message}`);
  return value;
}

const absent = Symbol('absent');

function givenExample(schema: Schema): unknown {
  const meta = z.globalRegistry.get(schema);
  if (meta && 'example' in meta) return meta.example;
  if (Array.isArray(meta?.examples) && meta.examples.length > 0) return meta.examples[0];
  return absent;
}

const exampleFor = (schema: Schema): unknown => {
  const given = givenExample(schema);
  return given === absent ? madeUp(schema) : given;
};

function madeUp(schema: Schema): unknown {
  if (schema instanceof z.ZodObject) return objectValue(schema);
  if (schema instanceof z.ZodArray) return arrayValue(schema);
  if (schema instanceof z.ZodNumber) return Math.max(schema.minValue ?? 1, Math.min(1, schema.maxValue ?? 1), 0);
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return [...schema.values][0];
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodUnion) return exampleFor(schema.options[0] ?? z.null());
  if (schema instanceof z.ZodRecord) return {};
  if (schema instanceof z.ZodTuple) return schema.def.items.map(exampleFor);
  if (schema instanceof z.ZodIntersection)
    return { ...Object(exampleFor(schema.def.left)), ...Object(exampleFor(schema.def.right)) };
  return madeUpInside(schema);
}

/** Values of schemas that wrap another, and of texts. */
function madeUpInside(schema: Schema): unknown {
  if (schema instanceof z.ZodPipe)
    return exampleFor(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in);
  if (schema instanceof z.ZodLazy) return exampleFor(schema.def.getter());
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  )
    return exampleFor(schema.def.innerType);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return {};
  return schema instanceof z.ZodNull ? null : textValue(schema);
}

function objectValue(schema: z.ZodObject): Record<string, unknown> {
  const entries = Object.entries(schema.shape).flatMap(([name, field]) => {
    if (!z.safeParse(field, undefined).success) return [[name, exampleFor(field)]];
    const given = innerExample(field);
    return given === absent ? [] : [[name, given]];
  });
  return Object.fromEntries(entries);
}

/** The example of an optional field, declared on the field or on the schema inside it. */
function innerExample(schema: Schema): unknown {
  const given = givenExample(schema);
  if (given !== absent) return given;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return innerExample(schema.def.innerType);
  return absent;
}

function arrayValue(schema: z.ZodArray): unknown[] {
  const least = z.safeParse(schema, []).success ? 0 : 1;
  const given = givenExample(schema.element);
  if (given !== absent) return [given];
  return Array.from({ length: least }, () => exampleFor(schema.element));
}

const texts: Record<string, string> = {
  uuid: '01900000-0000-7000-8000-000000000000',
  datetime: '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  email: 'analyst@example.com',
  url: 'https://example.com/',
  ipv4: '192.0.2.10',
  ipv6: '2001:db8::10',
  cidrv4: '192.0.2.0/24',
};

function textValue(schema: Schema): string {
  const { minimum = 0, maximum = 100 } = schema._zod.bag;
  const known = texts[formatOf(schema) ?? ''];
  if (known !== undefined) return known;
  return 'example'.padEnd(Number(minimum), 'x').slice(0, Number(maximum));
}

/** The format of a text, by its schema or by a check of it. */
const formatOf = (schema: Schema): string | undefined =>
  [schema, ...(schema._zod.def.checks ?? [])].find((one) => one instanceof z.ZodStringFormat)?.def.format;
