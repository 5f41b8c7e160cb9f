import { createHash, randomBytes } from 'node:crypto';
import { grantCode } from '#shared/people/sign-in.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Client } from './client.ts';

export const newAddress = (name = 'ana'): string => `${name}.${randomBytes(6).toString('hex')}@example.org`;

/** A PKCE pair. */
export function proofKey(): { verifier: string; codeChallenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, codeChallenge: createHash('sha256').update(verifier).digest('base64url') };
}

export type SignedIn = { accessToken: string; refreshToken: string };

/** Exchanges a code for tokens, as a program that keeps its refresh token itself. */
export async function exchange(client: Client, code: string, verifier: string): Promise<SignedIn> {
  const body = { grant_type: 'authorization_code', code, code_verifier: verifier, refresh_token_in: 'body' } as const;
  const answer = await client.ok('issueToken', { body });
  return { accessToken: answer.access_token, refreshToken: answer.refresh_token ?? '' };
}

/** An access token of a person, without a letter. */
export async function signInDirectly({ dynamo }: Connections, client: Client, personId: string): Promise<string> {
  const { verifier, codeChallenge } = proofKey();
  const { code } = await grantCode(dynamo, { personId, proofs: ['mail'], codeChallenge });
  return (await exchange(client, code ?? '', verifier)).accessToken;
}
