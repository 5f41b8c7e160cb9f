import * as z from 'zod';

/*
 * Messages about wrong fields, in place of zod's own: the rest of a sentence that the field's name begins, such as "name: must have at most
 * 200 characters". A schema with a message of its own keeps it.
 */

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL',
  uuid: 'a UUID',
  datetime: 'a time such as 2026-01-31T09:30:00Z',
  date: 'a day such as 2026-01-31',
};

/** Answers each issue: bundles of areas leave zod's texts out. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  const { code } = issue;
  if (code === 'invalid_type') return wrongKind(issue.expected, issue.input);
  if (code === 'invalid_value') return oneOf(issue.values);
  if (code === 'invalid_union' && Array.isArray(issue.options)) return oneOf(issue.options);
  if (code === 'too_big') return limit(issue, issue.inclusive ? 'at most' : 'less than', issue.maximum);
  if (code === 'too_small') return limit(issue, issue.inclusive ? 'at least' : 'more than', issue.minimum);
  if (code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`;
  if (code === 'unrecognized_keys') return `has unknown fields: ${issue.keys.join(', ')}`;
  if (code !== 'invalid_format') return 'is not valid';
  const known = FORMATS[issue.format];
  if (known !== undefined) return `must be ${known}`;
  return issue.pattern === undefined ? `must be ${issue.format}` : `must match ${issue.pattern}`;
}

const kindOf = (expected: string): string => KINDS[expected] ?? expected;

function wrongKind(expected: string, value: unknown): string {
  const wanted = `must be ${kindOf(expected)}`;
  if (expected === 'int' && typeof value === 'number') return wanted;
  return `${wanted}, not ${value === null ? 'null' : kindOf(Array.isArray(value) ? 'array' : typeof value)}`;
}

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.length === 1 ? '' : 'one of '}${values.join(', ')}`;

/** A text and a list have a length, a number is compared. */
function limit({ origin }: { origin: string }, bound: string, size: number | bigint): string {
  const units = { string: ['character', 'characters'], array: ['entry', 'entries'] }[origin];
  if (!units) return `must be ${bound} ${size}`;
  if (size === 1 && bound === 'at least') return 'must not be empty';
  return `must have ${bound} ${size} ${units[size === 1 ? 0 : 1]}`;
}

z.config({ customError: messageOf });
