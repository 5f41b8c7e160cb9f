import * as z from 'zod';
import { type ErrorCode, errorStatus } from '#shared/runtime/errors.ts';

const codes = Object.keys(errorStatus);

/** What every answer but 200 carries. */
export const ErrorRecord = z
  .object({
    code: z.enum(codes).meta({ description: 'what went wrong, for programs' }),
    message: z.string().meta({ description: 'what went wrong and what to do, for people' }),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'each field that is wrong' }),
    current: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'the record as it is now, when it was changed by someone else' }),
    requestId: z.string().meta({ description: 'names this request in our logs' }),
  })
  .meta({ id: 'Error' });

type Example = { code: ErrorCode; message: string; details?: { path: string; message: string }[] };

const examples: Record<400 | 401 | 500, Example> = {
  400: {
    code: 'validation_failed',
    message: 'paginateSize: Too big: expected number to be <=500',
    details: [{ path: 'paginateSize', message: 'Too big: expected number to be <=500' }],
  },
  401: { code: 'insufficient_scope', message: 'This operation needs an API key with the scope findings:write.' },
  500: { code: 'internal_error', message: 'Something went wrong on our side. Try again.' },
};

const meanings: Record<400 | 401 | 500, string> = {
  400: 'The request cannot be answered as it is; the caller can mend it.',
  401: 'No credential, a bad or expired one, or one that may not do this.',
  500: 'An error of the service. The request may be tried again.',
};

const codesOf = (status: number): string =>
  Object.entries(errorStatus)
    .filter(([, value]) => value === status)
    .map(([code]) => `\`${code}\``)
    .join(', ');

/** The answers other than 200 that each operation can give. */
export const errorResponses = Object.fromEntries(
  ([400, 401, 500] as const).map((status) => {
    const example = { ...examples[status], requestId: '6f1c0d2e-8a55-4b57-9d0e-3f1f0a4c7b21' };
    const content = { 'application/json': { schema: ErrorRecord, example } };
    return [status, { id: `Error${status}`, description: `${meanings[status]} Codes: ${codesOf(status)}.`, content }];
  }),
);
