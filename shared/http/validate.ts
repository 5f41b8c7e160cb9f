import * as z from 'zod';
import { ApiError, type ErrorDetail } from './errors.ts';

/** Parses one part of a request; a caller gets every field that is wrong, at once. */
export function check<T extends z.ZodType>(schema: T, value: unknown, where: 'body' | 'query'): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(closest(issue), { value, where }));
  const [first] = details;
  throw new ApiError('validation_failed', `${first?.path ?? where}: ${first?.message ?? 'invalid'}`, { details });
}

type Issue = z.core.$ZodIssue;

function detailsOf(issue: Issue, { value, where }: { value: unknown; where: string }): ErrorDetail[] {
  const path = issue.path.length === 0 ? where : issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const prefix = issue.path.length === 0 ? '' : `${path}.`;
    return issue.keys.map((key) => ({ path: `${prefix}${key}`, message: 'unknown field' }));
  }
  return [{ path, message: valueAt(value, issue.path) === undefined ? required(issue) : issue.message }];
}

function required(issue: Issue): string {
  if (issue.code === 'invalid_type') return 'is required';
  return issue.code === 'invalid_value' ? `is required: one of ${issue.values.join(', ')}` : issue.message;
}

const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((at: unknown, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined), value);

/** Of the forms that a value may have, the caller meant the one that went wrong deepest inside. */
function closest(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const firsts = issue.errors.flatMap(([first]) => first ?? []);
  const [inner] = firsts.toSorted((a, b) => b.path.length - a.path.length);
  if (inner && inner.path.length > 0) return closest({ ...inner, path: [...issue.path, ...inner.path] });
  return { ...issue, message: [...new Set(firsts.map(({ message }) => message))].join('; or ') || issue.message };
}

/** The strict twin of an object schema, for the routes that refuse unknown fields. */
export const strictest = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? schema.strict() : schema);
