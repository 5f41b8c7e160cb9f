import * as z from 'zod';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { issueTicket, type Proofs } from './ticket.ts';

const CODE_SECONDS = 60;

/** RFC 7636, section 4.2: base64url of the SHA-256 of the verifier. */
export const CodeChallenge = z
  .string()
  .regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256 (RFC 7636)')
  .meta({
    description: 'the PKCE challenge (`S256`) whose verifier the caller keeps',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });

type Proven = { personId: string; proofs: Proofs; codeChallenge: string };

/** The end of a sign-in: a code for `POST /api/v1/oauth/token`, which only the holder of the verifier can use. */
export async function grantCode(dynamo: Dynamo, proven: Proven): Promise<{ code: string; issuedAt: string }> {
  const code = await issueTicket(dynamo, { purpose: 'code', seconds: CODE_SECONDS, data: proven });
  return { code, issuedAt: now() };
}
