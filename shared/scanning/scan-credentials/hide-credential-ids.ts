import { analystOf } from '#shared/platform/auth/access.ts';
import { type Caller, isAllowed } from '#shared/platform/auth/permissions.ts';

/**
 * Whether a caller may see credentials in engagements: callers of its organization who start scans without a request, and
 * auditors.
 */
const maySee = (caller: Caller): boolean => caller.kind === 'api_key' || isAllowed(caller, analystOf('scanning'));

type WithCredentials = { credentialIds?: readonly string[]; approvedCredentialIds?: readonly string[] };

/** A record in the caller's view: with the ids of credentials only if the caller may see them. */
export const hideCredentialIds = <T extends WithCredentials>(caller: Caller, record: T): T =>
  maySee(caller) ? record : { ...record, credentialIds: [], approvedCredentialIds: undefined };
