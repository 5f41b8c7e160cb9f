import type { Caller } from '#shared/platform/auth/permissions.ts';

/**
 * Whether a caller may use credentials in engagements: callers of its organization who start scans without a request.
 */
const mayUse = (caller: Caller): boolean =>
  caller.kind === 'api_key' || ('role' in caller && ['analyst', 'admin'].includes(caller.role));

type WithCredentials = { credentialIds?: readonly string[]; approvedCredentialIds?: readonly string[] };

/** A record in the caller's view: with the ids of credentials only if the caller may use them. */
export const hideCredentialIds = <T extends WithCredentials>(caller: Caller, record: T): T =>
  mayUse(caller) ? record : { ...record, credentialIds: [], approvedCredentialIds: undefined };
