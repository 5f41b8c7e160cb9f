import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { condition, defineRow, putWrite, rowKey } from '#shared/platform/table/io/row.ts';

/**
 * A reference of an engagement to a credential. The row without an engagement counts the references: `rev` shows a new
 * one.
 */
type CredentialUse = { credentialId: string; engagementId?: string; rev?: number };

export const credentialUses = defineRow<CredentialUse>({
  name: 'credential-use',
  about: 'an engagement that refers to a scan credential; the row without an engagement counts the changes',
  key: ({ credentialId, engagementId }) => [credentialId, engagementId ?? '-'],
});

/** The writes that note the references of an engagement. Each credential must exist at that moment. */
export const referenceWrites = (scope: string, engagementId: string, credentialIds: readonly string[]): Write[] =>
  credentialIds.flatMap((credentialId, n): Write[] => [
    {
      change: rowKey(scope, credentialUses, { credentialId }),
      add: { rev: 1 },
      condition: condition({}),
      fail: () => invalid(`credentialIds.${n}`, `there is no credential ${credentialId}`),
    },
    putWrite(scope, credentialUses, { row: { credentialId, engagementId } }),
  ]);

export const unreferenceWrites = (scope: string, engagementId: string, credentialIds: readonly string[]): Write[] =>
  credentialIds.map((credentialId) => ({ remove: rowKey(scope, credentialUses, { credentialId, engagementId }) }));
