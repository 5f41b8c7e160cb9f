import * as z from 'zod';
import { ApiError, type ErrorDetail } from '../runtime/errors.ts';

/** Parses one part of a request. The error lists all wrong fields at once. */
export function check<T extends z.ZodType>(schema: T, value: unknown, where: 'body' | 'query'): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const unknown = where === 'query' ? unknownParameter(schema) : UNKNOWN_FIELD;
  throw refusal(
    result.error.issues.flatMap((issue) => detailsOf(closest(issue), { value, where, unknown })),
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

function refusal(details: ErrorDetail[], where: string): ApiError {
  const [first] = details;
  return new ApiError('validation_failed', `${first?.path ?? where}: ${first?.message ?? 'invalid'}`, { details });
}

const UNKNOWN_FIELD = 'unknown field';

function unknownParameter(schema: z.ZodType): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape).join(', ') : '';
  return `unknown parameter; ${known === '' ? 'this operation takes none' : `it takes ${known}`}`;
}

type Issue = z.core.$ZodIssue;
type Wrong = { value: unknown; where: string; unknown: string };

function detailsOf(issue: Issue, { value, where, unknown }: Wrong): ErrorDetail[] {
  const path = issue.path.length === 0 ? where : issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length === 0 ? '' : `${path}.`;
    return issue.keys.map((key) => ({ path: `${prefix}${key}`, message: unknown }));
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

/** The issue of the alternative that the caller most likely meant: the one that failed deepest inside the value. */
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
    return isOpen ? [] : [{ path: here.join('.'), message: UNKNOWN_FIELD }];
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
