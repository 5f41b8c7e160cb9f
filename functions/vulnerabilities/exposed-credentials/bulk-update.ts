import type * as z from 'zod';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import { wantedBy } from '#shared/platform/http/many.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { StoredCredentialBulk } from '#shared/vulnerabilities/exposed-credentials/bulk.ts';
import { assertReason } from '#shared/vulnerabilities/exposed-credentials/decide.ts';
import { credentialSelection } from '#shared/vulnerabilities/exposed-credentials/filter.ts';
import type { CredentialsUpdate } from './routes.ts';

/** A checked decision on many exposed credentials. @throws validation_failed */
export function bulkUpdate(body: CredentialsUpdate): { wanted: Wanted; bulk: z.infer<typeof StoredCredentialBulk> } {
  const { changes, reason } = body;
  const wanted = wantedBy(body, credentialSelection);
  if (changes.status === undefined)
    throw invalid('changes', 'must have at least one field, such as {"status": "rotated"}');
  assertReason(changes.status, reason);
  return { wanted, bulk: { changes, reason } };
}
