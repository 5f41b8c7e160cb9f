import * as z from 'zod';
import { ApiError, type ErrorDetail } from './errors.ts';

/** Parses one part of a request; a caller gets every field that is wrong, at once. */
export function check<T extends z.ZodType>(schema: T, value: unknown, where: 'body' | 'query'): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const details = result.error.issues.flatMap((issue) => detailsOf(issue, where));
  const [first] = details;
  throw new ApiError('validation_failed', `${first?.path ?? where}: ${first?.message ?? 'invalid'}`, { details });
}

function detailsOf(issue: z.core.$ZodIssue, where: string): ErrorDetail[] {
  const path = issue.path.length === 0 ? where : issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
  const prefix = issue.path.length === 0 ? '' : `${issue.path.join('.')}.`;
  return issue.keys.map((key) => ({ path: `${prefix}${key}`, message: 'unknown field' }));
}

/** The strict twin of an object schema, for the routes that refuse unknown fields. */
export const strictest = (schema: z.ZodType): z.ZodType => (schema instanceof z.ZodObject ? schema.strict() : schema);
