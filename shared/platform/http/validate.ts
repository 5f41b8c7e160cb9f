import * as z from 'zod';
import { ApiError, type ErrorDetail } from '../runtime/errors.ts';
import './messages.ts';

/** Parses one part of a request. The error lists all wrong fields at once. */
export function check<T extends z.ZodType>(schema: T, value: unknown, where: 'body' | 'query'): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw refusal(
    result.error.issues.flatMap((issue) => detailsOf(closest(issue), { value, where, schema })),
    where,
  );
}

/** Parses a body and refuses unknown fields: a misspelt field would otherwise be ignored in silence. */
export function checkWhole<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const known = check(strictest(schema), value, 'body') as z.output<T>;
  const unknown = unknownFields(schema, value, []);
  if (unknown.length > 0) throw refusal(unknown, 'body');
  return known;
}

function refusal(wrong: ErrorDetail[], where: string): ApiError {
  const details = listedOnce(wrong);
  const [first] = details;
  return new ApiError('validation_failed', `${first?.path ?? where}: ${first?.message ?? 'invalid'}`, { details });
}

const UNKNOWN_FIELD = 'unknown field';

/** The message about a name that no object here has; the error bounds its length. */
function unknownIn(schemas: readonly z.ZodType[], where: string): string {
  const names = [...new Set(schemas.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))];
  const [what, all] = where === 'query' ? ['unknown parameter', 'this operation'] : [UNKNOWN_FIELD, 'it'];
  return `${what}; ${names.length === 0 ? `${all} takes none` : `it takes ${names.join(', ')}`}`;
}

/** The list of known fields appears in an answer once, even if a field is wrong several times. */
function listedOnce(details: readonly ErrorDetail[]): ErrorDetail[] {
  const listed = new Set<string>();
  return details.map(({ path, message }) => {
    const isRepeated = message.startsWith(UNKNOWN_FIELD) && listed.has(message);
    listed.add(message);
    return { path, message: isRepeated ? UNKNOWN_FIELD : message };
  });
}

/** The schemas at a path of a schema: several where it leads through alternatives between which the value does not choose. */
function schemasAt(field: z.ZodType, [key, ...below]: readonly PropertyKey[], value: unknown): z.ZodType[] {
  const schema = unwrapped(field);
  if (schema instanceof z.ZodUnion)
    return chosen(schema, value).flatMap((one) => schemasAt(one, key === undefined ? [] : [key, ...below], value));
  if (key === undefined) return [schema];
  const inner =
    schema instanceof z.ZodArray
      ? schema.element
      : schema instanceof z.ZodRecord
        ? schema.valueType
        : schema instanceof z.ZodObject && schema.shape[String(key)];
  return inner ? schemasAt(inner as z.ZodType, below, valueAt(value, [key])) : [];
}

/** The alternatives that a value may mean: one where it names the alternative. */
function chosen(union: z.ZodUnion, value: unknown): z.ZodType[] {
  const options = union.options as readonly z.ZodType[];
  if (!(union instanceof z.ZodDiscriminatedUnion)) return [...options];
  const name = union.def.discriminator;
  const named = options.filter((one) => {
    const field: unknown = one instanceof z.ZodObject && one.shape[name];
    return field instanceof z.ZodType && field.safeParse(valueAt(value, [name])).success;
  });
  return named.length > 0 ? named : [...options];
}

type Issue = z.core.$ZodIssue;
type Wrong = { value: unknown; where: string; schema: z.ZodType };

function detailsOf(issue: Issue, { value, where, schema }: Wrong): ErrorDetail[] {
  const path = issue.path.length === 0 ? where : issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length === 0 ? '' : `${path}.`;
    const message = unknownIn(schemasAt(schema, issue.path, value), where);
    return issue.keys.map((key) => ({ path: `${prefix}${key}`, message }));
  }
  return [{ path, message: valueAt(value, issue.path) === undefined ? required(issue) : issue.message }];
}

function required(issue: Issue): string {
  if (issue.code === 'invalid_type') return 'is required';
  return issue.code === 'invalid_value' ? `is required: one of ${issue.values.join(', ')}` : issue.message;
}

/** A text of a query that its schema splits into values is there as a whole. */
const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((at: unknown, key) => {
    if (typeof at === 'string') return at;
    return typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  }, value);

/** The issue of the most likely intended alternative: the one that failed deepest inside the value. */
function closest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const [inner] = firsts.toSorted((a, b) => b.path.length - a.path.length);
  if (inner && inner.path.length > 0) return closest({ ...inner, path: [...issue.path, ...inner.path] });
  return { ...issue, message: [...new Set(firsts.map(({ message }) => message))].join('; or ') || issue.message };
}

/** Unknown fields in nested objects and lists. A union is left to its own schema. */
function unknownFields(field: z.ZodType, value: unknown, path: readonly (string | number)[]): ErrorDetail[] {
  const schema = unwrapped(field);
  if (Array.isArray(value) && schema instanceof z.ZodArray)
    return value.flatMap((item, n) => unknownFields(schema.element as z.ZodType, item, [...path, n]));
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  if (schema instanceof z.ZodRecord)
    return entries.flatMap(([name, item]) => unknownFields(schema.valueType as z.ZodType, item, [...path, name]));
  if (!(schema instanceof z.ZodObject)) return [];
  const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever);
  return entries.flatMap(([name, item]) => {
    const inner = schema.shape[name] as z.ZodType | undefined;
    const here = [...path, name];
    if (inner) return unknownFields(inner, item, here);
    return isOpen ? [] : [{ path: here.join('.'), message: unknownIn([schema], 'body') }];
  });
}

/** The schema inside `optional`, `nullable` and `default`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}

const twins = new WeakMap<z.ZodType, z.ZodType>();

/** The strict twin of an object schema, for routes that refuse unknown fields. Each twin is made once. */
export function strictest(schema: z.ZodType): z.ZodType {
  const known = twins.get(schema);
  if (known) return known;
  const twin = schema instanceof z.ZodObject ? schema.strict() : schema;
  twins.set(schema, twin);
  return twin;
}
