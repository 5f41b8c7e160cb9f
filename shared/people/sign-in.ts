import * as z from 'zod';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import type { Person } from './person.ts';
import { hasSecondStep } from './second-step.ts';
import { issueTicket, type Proofs, type Voucher } from './ticket.ts';

const CODE_SECONDS = 60;
const STEP_SECONDS = 600;

/** RFC 7636, section 4.2: base64url of the SHA-256 of the verifier. */
export const CodeChallenge = z
  .string()
  .regex(/^[\w-]{43}$/, 'must be the base64url of a SHA-256 (RFC 7636)')
  .meta({
    description: 'the PKCE challenge (`S256`) whose verifier the caller keeps',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  });

export const SIGN_IN_STATUSES = ['signed_in', 'second_step', 'enrolment'] as const;

/** The next step of a sign-in: the exchange of the code, a second step, or the set-up of a second step. */
type SignInStep = { status: (typeof SIGN_IN_STATUSES)[number]; code: string | null; ticket: string | null };

type Proven = { proofs: Proofs; codeChallenge: string; vouchedBy?: Voucher };

/** Goes on after the first proof of who somebody is. */
export async function continueSignIn(dynamo: Dynamo, person: Person, proven: Proven): Promise<SignInStep> {
  const data = { personId: person.id, ...proven };
  if (isStrong(proven.proofs)) return grantCode(dynamo, data);
  const needsStep = hasSecondStep(person);
  if (!needsStep && !(await isRequired(dynamo, person))) return grantCode(dynamo, data);
  const status = needsStep ? 'second_step' : 'enrolment';
  return { status, code: null, ticket: await issueTicket(dynamo, { purpose: status, seconds: STEP_SECONDS, data }) };
}

/** The end of a sign-in: a code for `POST /api/v1/oauth/token`, which only the holder of the verifier can use. */
export async function grantCode(
  dynamo: Dynamo,
  data: Proven & { personId: string },
): Promise<SignInStep & { code: string }> {
  const code = await issueTicket(dynamo, { purpose: 'code', seconds: CODE_SECONDS, data });
  return { status: 'signed_in', code, ticket: null };
}

/** Whether the person proved more than an address. An identity provider is trusted by its own organization only. */
export const isStrong = (proofs: Proofs): boolean => proofs.some((proof) => proof !== 'mail' && proof !== 'sso');

async function isRequired(dynamo: Dynamo, { memberships }: Person): Promise<boolean> {
  const required = await Promise.all(memberships.map(({ organizationId }) => requiresStep(dynamo, organizationId)));
  return required.includes(true);
}

/** Whether an organization lets only people in who have proven who they are in two ways. */
export const requiresStep = async (dynamo: Dynamo, organizationId: string): Promise<boolean> =>
  (await readSettings(openTable(dynamo, organizationId))).secondStepRequired;
