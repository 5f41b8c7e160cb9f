import { live, Timestamp } from '#shared/platform/http/records.ts';
import { nowMs } from '#shared/platform/runtime/clock.ts';

export const CREDENTIAL_STATUSES = ['active', 'expired', 'revoked'] as const;
type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** The end and the use of API keys and service accounts. */
export const lifeFields = {
  expiresAt: Timestamp.nullable()
    .default(null)
    .meta({ description: 'by default the latest time that `maximumCredentialDays` of the organization allows' }),
  lastUsedAt: live(Timestamp.nullable().default(null)).meta({
    description: 'accurate to an hour; null: not used since release 1.8',
    readOnly: true,
  }),
};

/** The record with its present status: nothing is written when a credential expires. */
export function credentialAsOfNow<T extends { status: CredentialStatus; expiresAt?: string | null }>(record: T): T {
  return record.status === 'active' && isPast(record.expiresAt) ? { ...record, status: 'expired' } : record;
}

type Token = { status: CredentialStatus | 'used_up'; expiresAt: string; name: string | null };

/** Tokens of earlier releases have no name. */
export function linkTokenAsOfNow<T extends Token>(token: T): T {
  const named = { ...token, name: token.name ?? null };
  return token.status !== 'revoked' && isPast(token.expiresAt) ? { ...named, status: 'expired' } : named;
}

type Made = { createdBy: { id: string }; revokedAt: string | null };

/** A query for the unrevoked credentials of their maker. */
export const madeAndCurrent = ({ createdBy, revokedAt }: Made) => ({
  createdBy: createdBy.id,
  revoked: String(revokedAt !== null),
});

const isPast = (time: string | null | undefined): boolean => typeof time === 'string' && Date.parse(time) <= nowMs();
