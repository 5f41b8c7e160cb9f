import type { IdentityProvider } from '#shared/people/identity-provider.ts';
import type { Context } from '#shared/platform/table/context.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The person at the identity provider, as a proven answer of the provider says. */
export type AtProvider = {
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
  claims: Claims;
};

type Beginning = { provider: IdentityProvider; redirectUri: string; state: string };
type Finishing = Beginning & { kept: Kept; callback: URL };

/** The facts of the beginning that the end compares with the answer; they wait in the ticket that is the state. */
type Kept = Record<string, string>;

/** A protocol of sign-ins at an identity provider; each kind of provider has one. */
export type Protocol = {
  /** The issuer and the client that a subject is for; undefined while settings are missing. */
  issuedFor: (provider: IdentityProvider) => string | undefined;
  /** @returns the address to which the browser goes @throws RefusedSignIn */
  begin: (context: Context, beginning: Beginning) => Promise<{ url: string; kept: Kept }>;
  /** Judges the address with which the browser comes back. @throws RefusedSignIn */
  finish: (context: Context, finishing: Finishing) => Promise<AtProvider>;
};

export const REASONS = [
  'not_set_up',
  'unreachable',
  'refused_by_provider',
  'invalid_answer',
  'no_email',
  'unverified_email',
  'unproved_domain',
  'another_subject',
  'user_inactive',
  'no_room',
  'no_role',
] as const;

/** A sign-in that fails for a reason that the person and the administrators read. */
export class RefusedSignIn extends Error {
  readonly reason: (typeof REASONS)[number];
  /** The address of the person, as the provider says, once an answer is proven. */
  email: string | null = null;

  constructor(reason: (typeof REASONS)[number], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
