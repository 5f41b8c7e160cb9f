import type * as z from 'zod';
import type { Wanted } from '#shared/findings/bulk/wanted.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { bodyMatching } from '#shared/platform/filter/read.ts';
import { wantedBy } from '#shared/platform/http/many.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { StoredCredentialBulk } from '#shared/vulnerabilities/exposed-credentials/bulk.ts';
import { assertReason } from '#shared/vulnerabilities/exposed-credentials/decide.ts';
import { credentialSelection } from '#shared/vulnerabilities/exposed-credentials/filter.ts';
import { credentialFilter } from '#shared/vulnerabilities/exposed-credentials/filter-fields.ts';
import type { CredentialsUpdate } from './routes.ts';

/** A checked decision on many exposed credentials. @throws validation_failed */
export async function bulkUpdate(
  at: { table: Table; caller: Caller },
  body: CredentialsUpdate,
): Promise<{ wanted: Wanted; bulk: z.infer<typeof StoredCredentialBulk> }> {
  const { changes, reason } = body;
  const wanted = wantedBy(await bodyMatching(at, credentialFilter, body), credentialSelection);
  if (changes.status === undefined)
    throw invalid('changes', 'must have at least one field, such as {"status": "rotated"}');
  assertReason(changes.status, reason);
  return { wanted, bulk: { changes, reason } };
}
