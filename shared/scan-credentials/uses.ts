import { invalid } from '../runtime/errors.ts';
import type { Write } from '../table/io/commit.ts';
import { defineRow, putWrite, rowKey } from '../table/io/row.ts';

/** Which engagements refer to a credential; the row without one counts the references, to notice a new one. */
type CredentialUse = { credentialId: string; engagementId?: string; rev?: number };

export const credentialUses = defineRow<CredentialUse>({
  name: 'credential-use',
  about: 'an engagement that refers to a scan credential; the row without an engagement counts the changes',
  key: ({ credentialId, engagementId }) => [credentialId, engagementId ?? '-'],
});

/** An engagement refers to credentials, of which each must exist at that moment. */
export const referWrites = (scope: string, engagementId: string, credentialIds: readonly string[]): Write[] =>
  credentialIds.flatMap((credentialId, n): Write[] => [
    {
      change: rowKey(scope, credentialUses, { credentialId }),
      set: {
        UpdateExpression: 'ADD rev :one',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: { ':one': 1 },
      },
      fail: () => invalid(`credentialIds.${n}`, `there is no credential ${credentialId}`),
    },
    putWrite(scope, credentialUses, { row: { credentialId, engagementId } }),
  ]);

export const unreferWrites = (scope: string, engagementId: string, credentialIds: readonly string[]): Write[] =>
  credentialIds.map((credentialId) => ({ remove: rowKey(scope, credentialUses, { credentialId, engagementId }) }));
