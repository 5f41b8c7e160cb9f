import type { ApiError, ErrorCode } from '../runtime/errors.ts';

/** How operations of SCIM 2.0 answer (RFC 7644, sections 3.1 and 3.12). */
export const SCIM_MEDIA_TYPE = 'application/scim+json';
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

type Kind = { status: number; scimType?: string };

const kinds: Partial<Record<ErrorCode, Kind>> = {
  validation_failed: { status: 400, scimType: 'invalidValue' },
  malformed_json: { status: 400, scimType: 'invalidSyntax' },
  unsupported_filter: { status: 400, scimType: 'invalidFilter' },
  invalid_request: { status: 400, scimType: 'invalidPath' },
  read_only: { status: 400, scimType: 'mutability' },
  unauthorized: { status: 401 },
  insufficient_scope: { status: 403 },
  not_found: { status: 404 },
  payload_too_large: { status: 413 },
  unsupported_media_type: { status: 415 },
  limit_exceeded: { status: 429 },
  internal_error: { status: 500 },
};

/** The status and the body of an error. A conflict with a detail is about a value that another resource has. */
export function scimError({ code, message, details = [] }: ApiError): { status: number; body: object } {
  const conflict = { status: 409, ...(details.length > 0 && { scimType: 'uniqueness' }) };
  const { status, scimType } = code === 'conflict' ? conflict : (kinds[code] ?? { status: 400 });
  return { status, body: { schemas: [SCIM_ERROR], status: String(status), scimType, detail: message } };
}
