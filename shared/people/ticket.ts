import * as z from 'zod';
import { hashSecret, newSecret } from '#shared/platform/auth/token-format.ts';
import { inSeconds, now } from '#shared/platform/runtime/clock.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { SignUp } from './sign-up.ts';

/** The ways in which a person proved who they are in this sign-in, in the words of RFC 8176. */
const Proofs = z.array(z.enum(['mail', 'otp', 'hwk', 'rc', 'sso']));
export type Proofs = z.infer<typeof Proofs>;

/** The identity provider that vouched for the person, and the organization that trusts it. */
const Voucher = z.object({ organizationId: z.uuid(), providerId: z.uuid() });
export type Voucher = z.infer<typeof Voucher>;

/** The person who gets a code by a letter, and what the code is good for. */
export const Confirmation = z.object({ personId: z.uuid(), subject: z.string() });
export type Confirmation = z.infer<typeof Confirmation>;

/** The data of a ticket by its purpose; each ticket opens one thing once. */
const PURPOSES = {
  /** The link of a sign-in letter. */
  sign_in: z.object({ personId: z.uuid() }),
  /** The link of an invitation. */
  invitation: z.object({ personId: z.uuid(), userId: z.uuid() }),
  /** The link of a sign-up. */
  sign_up: SignUp,
  /** A sign-in that still needs a second step. */
  second_step: z.object({ personId: z.uuid(), proofs: Proofs, codeChallenge: z.string() }),
  /** The same for a person who has to set up a second step first. */
  enrolment: z.object({ personId: z.uuid(), proofs: Proofs, codeChallenge: z.string() }),
  /** The code of a letter, with which a person who is signed in proves who they are. */
  confirmation: Confirmation,
  /** The challenge for a new passkey of a person. */
  passkey: z.object({ personId: z.uuid() }),
  /** The code with which a program asks whether a person approved it. */
  device_code: z.object({ hash: z.string(), client: z.string() }),
  /** An authorization code (RFC 6749, section 4.1) with its PKCE challenge (RFC 7636). */
  code: z.object({
    personId: z.uuid(),
    proofs: Proofs,
    codeChallenge: z.string(),
    vouchedBy: Voucher.optional(),
  }),
  /** The state of a sign-in at an identity provider. `kept`: the facts that the protocol compares with the answer. */
  at_provider: Voucher.extend({
    isTest: z.boolean(),
    codeChallenge: z.string(),
    kept: z.record(z.string(), z.string()),
  }),
  /** The address in a letter that stops such letters: who gets them, and the subscriptions behind them. */
  unsubscribe: z.object({ organizationId: z.uuid(), userId: z.uuid(), sources: z.array(z.string()) }),
  /** A response of SAML that waits for the browser that began the sign-in. */
  saml_response: z.object({ response: z.string() }),
} as const;
type Purpose = keyof typeof PURPOSES;
export type TicketData<P extends Purpose> = z.output<(typeof PURPOSES)[P]>;

/** A ticket that is still to be made; `data` fits its purpose. */
export const TicketRequest = z.object({
  purpose: z.enum(Object.keys(PURPOSES) as [Purpose, ...Purpose[]]),
  seconds: z.int().positive(),
  data: z.record(z.string(), z.unknown()),
});
export type TicketRequest = z.infer<typeof TicketRequest>;

type Ticket = { hash: string; purpose: Purpose; data: Record<string, unknown>; attempts?: number; expiresAt: string };

export const ticketRows = defineRow<Ticket, Pick<Ticket, 'hash'>>({
  name: 'ticket',
  about: 'the hash of a token that opens one thing once: a link in a letter, an authorization code; global key scope',
  key: ({ hash }) => [hash],
  expiresAt: ({ expiresAt }) => expiresAt,
});

const rowsOf = (dynamo: Dynamo) => openTable(dynamo, GLOBAL_SCOPE).rows(ticketRows);

/** Makes a ticket. @returns its token, of 256 random bits; only the hash is stored */
export async function issueTicket(
  dynamo: Dynamo,
  { purpose, seconds, data }: TicketRequest,
  token = newSecret(),
): Promise<string> {
  const row = { hash: hashSecret(token), purpose, data: PURPOSES[purpose].parse(data) };
  await rowsOf(dynamo).put({ ...row, expiresAt: inSeconds(seconds) }, 'absent');
  return token;
}

/** Reads a ticket and leaves it. @returns undefined for a token that opens nothing */
export async function readTicket<P extends Purpose>(
  dynamo: Dynamo,
  purpose: P,
  token: string,
): Promise<TicketData<P> | undefined> {
  const row = await rowsOf(dynamo).find({ hash: hashSecret(token) }, true);
  return row?.purpose === purpose && row.expiresAt > now() ? (row.data as TicketData<P>) : undefined;
}

/** Uses a ticket up: of several at once exactly one gets the data. @returns undefined for a token that opens nothing */
export async function takeTicket<P extends Purpose>(
  dynamo: Dynamo,
  purpose: P,
  token: string,
): Promise<TicketData<P> | undefined> {
  const data = await readTicket(dynamo, purpose, token);
  return data && (await rowsOf(dynamo).remove({ hash: hashSecret(token) }, { purpose })) ? data : undefined;
}

const MAX_ATTEMPTS = 5;

/** Counts an attempt with a ticket that stays until it succeeds. @returns false when no attempt is left */
export async function countAttempt(dynamo: Dynamo, token: string): Promise<boolean> {
  const rows = rowsOf(dynamo);
  const hash = hashSecret(token);
  const row = await rows.find({ hash }, true);
  const { attempts = 0 } = row ?? {};
  return (
    row !== undefined &&
    attempts < MAX_ATTEMPTS &&
    rows.set({ hash }, { attempts: attempts + 1 }, { attempts: row.attempts })
  );
}
