import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { ApiError } from '#shared/platform/runtime/errors.ts';

/** A mistake of the person who runs a command. The message says in a sentence what is wrong and what to give. */
export class Mistake extends Error {}

/** A file that a person names, as a value of the schema. @throws Mistake */
export function readJsonFile<T>(file: string, schema: z.ZodType<T>): T {
  const { data, error } = schema.safeParse(jsonIn(file));
  if (!error) return data;
  const [issue] = error.issues;
  throw new Mistake(`${file}: ${[...(issue?.path ?? []).map(String), issue?.message].join(': ')}`);
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Mistake(`${file} must be JSON: ${error.message}`);
    throw error;
  }
}

type Known = Error & {
  code?: string;
  path?: string;
  address?: string;
  port?: number;
  $metadata?: { httpStatusCode?: number };
};

const FILE_ERRORS: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read or written by this user',
  EISDIR: 'is a directory; name a file',
  ENOTDIR: 'is a file; name a directory',
};
const NETWORK_ERRORS = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
const REFUSED_CREDENTIALS = [401, 403];

/** One sentence about a mistake of a person or the place where a command runs. @returns undefined for a fault of the program */
export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', message, name, path, $metadata }: Known = error;
  if (error instanceof Mistake || error instanceof ApiError || code.startsWith('ERR_PARSE_ARGS')) return message;
  if (path !== undefined && code in FILE_ERRORS) return `${path} ${FILE_ERRORS[code]}.`;
  if (name === 'CredentialsProviderError')
    return 'There are no AWS credentials: sign in, for example with aws sso login, or name a profile in AWS_PROFILE.';
  if (message === 'Region is missing') return 'Name the region with --region, such as eu-central-1, or in AWS_REGION.';
  if (
    REFUSED_CREDENTIALS.includes($metadata?.httpStatusCode ?? 0) ||
    /^(Expired|Unrecognized|Invalid)\w*(Token|Client)/.test(name)
  )
    return `AWS refuses the credentials (${name}): ${message}`;
  if (NETWORK_ERRORS.includes(code)) return `A server cannot be reached (${message || code}).`;
  return sentenceOf(error.cause);
}
