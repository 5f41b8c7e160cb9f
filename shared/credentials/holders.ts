import { readCredential } from '#shared/platform/auth/credential.ts';
import type { CredentialId } from '#shared/platform/auth/token-format.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

/**
 * The accounts whose holder may know this one's secret: itself, those that made it or gave it a secret, and those that had made
 * these. Two accounts without a common one belong to two people, as far as the service can tell.
 */
export async function holdersOf(dynamo: Dynamo, { organizationId, id }: CredentialId): Promise<string[]> {
  const credential = await readCredential(dynamo, { organizationId, id });
  return [...new Set([...(credential?.makers ?? []), id])];
}
