import type { ApiDocument } from './tidy.ts';

type Schema = { [keyword: string]: unknown; type?: string | string[]; anyOf?: Schema[]; description?: string };

/** Parts of a document that are values, not schemas. */
const VALUES = ['example', 'examples', 'default', 'enum', 'const'];

/** Writes schemas in the forms that generators of clients read; the meaning stays (docs/decisions/0073-generated-clients.md). */
export const plainForGenerators = (document: ApiDocument): ApiDocument => plain(document) as ApiDocument;

function plain(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(plain);
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.entries(part).map(([key, value]) => [key, VALUES.includes(key) ? value : plain(value)]);
  return steps.reduce<Schema>((schema, step) => step(schema), Object.fromEntries(inner));
}

const steps: ((schema: Schema) => Schema)[] = [
  separateTypes,
  sayWideInteger,
  dropPatternOfFormat,
  flattenChoice,
  describeDefault,
  showChecked,
  foldNullOfValues,
];

/**
 * openapi-python-client drops a model that has a field with an object as its default, and Go has no default of a field with a choice
 * of types.
 */
function describeDefault(schema: Schema): Schema {
  const { default: value, ...others } = schema;
  const types = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (value === undefined || (!isObject && types.length < 2)) return schema;
  const words = [schema.description, `Default: \`${JSON.stringify(value)}\``];
  return { ...others, description: words.filter(Boolean).join('; ') };
}

/** Generators take an integer for 32 bits unless its format says more; counters of bytes overflow these. */
function sayWideInteger(schema: Schema): Schema {
  const isInteger = [schema.type].flat().includes('integer');
  const { maximum } = schema;
  const isWide = isInteger && schema.format === undefined && !(typeof maximum === 'number' && maximum < 2 ** 31);
  return isWide ? { ...schema, format: 'int64' } : schema;
}

const SAID_BY_FORMAT: unknown[] = ['date-time', 'date', 'uuid'];

/** The format says the same; Go cannot apply a pattern to a time. */
function dropPatternOfFormat({ pattern, ...schema }: Schema): Schema {
  return pattern === undefined || SAID_BY_FORMAT.includes(schema.format) ? schema : { ...schema, pattern };
}

/** openapi-generator reads only the first type of a list such as string, number and boolean. */
function separateTypes(schema: Schema): Schema {
  const { type, description, ...others } = schema;
  if (!Array.isArray(type) || type.includes('null') || Object.keys(others).length > 0) return schema;
  const anyOf = type.map((one) => sayWideInteger({ type: one }));
  return description === undefined ? { anyOf } : { anyOf, description };
}

/** A choice within a choice is one choice. */
function flattenChoice(schema: Schema): Schema {
  if (!Array.isArray(schema.anyOf)) return schema;
  const choicesOf = (one: Schema): Schema[] => (one.anyOf && Object.keys(one).length === 1 ? one.anyOf : [one]);
  return { ...schema, anyOf: schema.anyOf.flatMap(choicesOf) };
}

/**
 * An entry of a batch that is checked alone is the documented record or any object, which is then refused in its answer. Readers want
 * the record; generators for Go write code for the choice that does not compile.
 */
function showChecked(schema: Schema): Schema {
  const { anyOf, ...others } = schema;
  const [record, any, ...more] = anyOf ?? [];
  return record && any && more.length === 0 && isAnyObject(any) ? { ...record, ...others } : schema;
}

const isAnyObject = ({ properties, additionalProperties }: Schema): boolean =>
  isEmpty(properties) && isEmpty(additionalProperties);

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** openapi-generator fails on a map whose values are a choice that includes null. The null becomes a type of the first choice. */
function foldNullOfValues(schema: Schema): Schema {
  const values = Object(schema.additionalProperties) as Schema;
  const [first, ...choices] = (values.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (typeof first?.type !== 'string' || choices.length + 1 === values.anyOf?.length) return schema;
  const { anyOf: _, ...beside } = values;
  const nullable = { ...first, type: [first.type, 'null'] };
  const folded = choices.length > 0 ? { anyOf: [nullable, ...choices] } : nullable;
  return { ...schema, additionalProperties: { ...beside, ...folded } };
}
