import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields, Timestamp, trimmedText } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { CREDENTIAL_STATUSES } from './credential-status.ts';

/** The roles in which staff may act, each including those before it. */
export const SUPPORT_ROLES = ['viewer', 'analyst', 'admin'] as const;

/** The right of the provider's staff to act in the organization for some days. Its credential row is the right itself. */
export const SupportGrant = objectNamed('SupportGrant', {
  ...recordFields,
  staffId: Id.nullable().default(null).meta({
    description: 'a person of `GET /api/v1/validation-operations/engagements/staff`; null: all staff',
    example: null,
  }),
  role: z.enum(SUPPORT_ROLES).meta({ description: 'the highest role in which they act' }),
  expiresAt: Timestamp,
  reason: trimmedText(300).meta({ example: 'Help with the import of our reports' }),
  staffName: readOnly(z.string().nullable()),
  status: readOnly(z.enum(CREDENTIAL_STATUSES)),
  revokedAt: readOnly(Timestamp.nullable()),
});
export type SupportGrant = z.infer<typeof SupportGrant>;

/** The value of grants that all staff may use. */
export const ANYBODY = 'all';

export const supportGrants = defineEntity<SupportGrant>(SupportGrant, {
  name: 'support-grant',
  feedFields: ['staffName', 'role', 'expiresAt', 'reason', 'status', 'revokedAt'],
  indexed: ({ staffId, revokedAt }) => ({ staff: staffId ?? ANYBODY, revoked: String(revokedAt !== null) }),
});
