import { live, Timestamp } from '../http/records.ts';
import { nowMs } from '../runtime/clock.ts';
import type { LinkToken } from './link-token.ts';

export const CREDENTIAL_STATUSES = ['active', 'expired', 'revoked'] as const;
type CredentialStatus = (typeof CREDENTIAL_STATUSES)[number];

/** The end and the use of API keys and service accounts. */
export const lifeFields = {
  expiresAt: Timestamp.nullable()
    .default(null)
    .meta({ description: 'by default the latest that `maximumCredentialDays` of the organization allows' }),
  lastUsedAt: live(Timestamp.nullable().default(null)).meta({
    description: 'precise to an hour; null: not since release 1.8',
    readOnly: true,
  }),
};

/** The record with its present status: nothing is written when a credential expires. */
export function credentialAsOfNow<T extends { status: CredentialStatus; expiresAt?: string | null }>(record: T): T {
  return record.status === 'active' && isPast(record.expiresAt) ? { ...record, status: 'expired' } : record;
}

export function linkTokenAsOfNow<T extends Pick<LinkToken, 'status' | 'expiresAt'>>(token: T): T {
  return token.status !== 'revoked' && isPast(token.expiresAt) ? { ...token, status: 'expired' } : token;
}

const isPast = (time: string | null | undefined): boolean => typeof time === 'string' && Date.parse(time) <= nowMs();
