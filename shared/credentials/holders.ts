import { readCredential } from '#shared/platform/auth/credential.ts';
import type { CredentialId } from '#shared/platform/auth/token-format.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';

/**
 * The accounts whose holder may know the account's secret: the account itself, and the accounts that made it or gave it
 * a secret, with their makers in turn. Two accounts without a common one belong to two people, as far as the service
 * can see.
 */
export async function holdersOf(dynamo: Dynamo, { organizationId, id }: CredentialId): Promise<string[]> {
  const credential = await readCredential(dynamo, { organizationId, id });
  return [...new Set([...(credential?.makers ?? []), id])];
}
