import * as z from 'zod';
import { SCIM_ERROR, SCIM_MEDIA_TYPE } from '#shared/platform/http/scim.ts';
import { type ErrorCode, errorStatus } from '#shared/platform/runtime/errors.ts';

const codes = Object.keys(errorStatus);

/** The body of every answer other than 200. */
export const ErrorRecord = z
  .object({
    code: z.enum(codes).meta({ description: 'the error, for programs' }),
    message: z.string().meta({ description: 'the error and the remedy, for people' }),
    details: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'the fields that are wrong' }),
    current: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'the current record, if another caller has changed it' }),
    requestId: z.string().meta({ description: 'the id of this request in the logs of the service' }),
  })
  .meta({ id: 'Error' });

type Example = { code: ErrorCode; message: string; details?: { path: string; message: string }[] };

type Status = 400 | 401 | 429 | 500;

const examples: Record<Status, Example> = {
  400: {
    code: 'validation_failed',
    message: 'paginateSize: must be at most 500',
    details: [{ path: 'paginateSize', message: 'must be at most 500' }],
  },
  401: { code: 'insufficient_scope', message: 'This operation needs an API key with the scope findings:write.' },
  429: { code: 'rate_limited', message: 'There are too many requests. Send the request again in 240 seconds.' },
  500: { code: 'internal_error', message: 'Something went wrong on our side. Try again.' },
};

const meanings: Record<Status, string> = {
  400: 'The request is wrong, and the caller can correct it.',
  401: 'The credential is missing, invalid or expired, or it does not permit the operation.',
  429: 'There are too many requests; `Retry-After` has the seconds to wait.',
  500: 'The service failed. The request may be sent again.',
};

const codesOf = (status: number): string =>
  Object.entries(errorStatus)
    .filter(([, value]) => value === status)
    .map(([code]) => `\`${code}\``)
    .join(', ');

const RetryAfter = z.object({
  'Retry-After': z.string().meta({ description: 'the seconds to wait', example: '240' }),
});

/** The answers of an operation that is limited, other than 200. */
export const limitedResponses = Object.fromEntries(
  ([400, 401, 429, 500] as const).map((status) => {
    const example = { ...examples[status], requestId: '6f1c0d2e-8a55-4b57-9d0e-3f1f0a4c7b21' };
    const content = { 'application/json': { schema: ErrorRecord, example } };
    const description = `${meanings[status]} Codes: ${codesOf(status)}.`;
    return [status, { id: `Error${status}`, description, content, ...(status === 429 && { headers: RetryAfter }) }];
  }),
);

/** The same of any other operation. */
const { 429: _, ...unlimitedResponses } = limitedResponses;
export const errorResponses = unlimitedResponses;

const ScimErrorRecord = z
  .object({
    schemas: z.array(z.string()),
    status: z.string(),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .meta({ id: 'ScimError' });

const scimMeanings = {
  400: 'The request is wrong; `scimType` and `detail` say how.',
  401: 'The credential is missing, invalid or expired.',
  403: 'The credential does not permit the operation.',
  404: 'There is no resource with this id.',
  409: 'Another resource has the value, or others changed the resource at the same time.',
  429: 'There are too many requests, or a limit is reached. The request may be sent again.',
  500: 'The service failed. The request may be sent again.',
};

/** The errors of SCIM (RFC 7644, section 3.12). */
export const scimResponses = Object.fromEntries(
  Object.entries(scimMeanings).map(([status, description]) => {
    const example = { schemas: [SCIM_ERROR], status, detail: description };
    const content = { [SCIM_MEDIA_TYPE]: { schema: ScimErrorRecord, example } };
    return [status, { id: `ScimError${status}`, description, content }];
  }),
);
