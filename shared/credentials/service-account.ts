import * as z from 'zod';
import { STAFF_ROLES } from '#shared/platform/auth/permissions.ts';
import { nameText, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { CREDENTIAL_STATUSES, lifeFields, madeAndCurrent } from './credential-status.ts';
import { PartScope } from './part.ts';
import { RoleId } from './role-id.ts';

/** Client credentials with a role, for automation that needs more than API scopes. */
export const ServiceAccount = objectNamed('ServiceAccount', {
  ...recordFields,
  name: nameText(120).meta({ example: 'nightly export' }),
  role: RoleId,
  scope: PartScope.optional(),
  email: z
    .email()
    .max(254)
    .nullable()
    .default(null)
    .meta({ description: 'only for staff; visible to every client of the deployment' }),
  skills: z
    .array(z.string().trim().min(1).max(60))
    .max(20)
    .default([])
    .meta({ description: 'only for staff; clients choose staff by their skills' }),
  ...lifeFields,
  clientId: readOnly(z.string()).meta({ description: 'for `POST /api/v1/oauth/token`', readOnly: true }),
  status: readOnly(z.enum(CREDENTIAL_STATUSES)),
  revokedAt: readOnly(Timestamp.nullable()),
});
export type ServiceAccount = z.infer<typeof ServiceAccount>;

/** In the order of the store, which is full with these: marks find accounts with other roles. */
const COUNTED_ROLES = ['viewer', 'analyst', 'admin', ...STAFF_ROLES, 'owner'] as const;

export const serviceAccounts = defineEntity(ServiceAccount, {
  name: 'service-account',
  feedFields: ['name', 'role', 'email', 'skills', 'status', 'revokedAt'],
  dimensions: { role: COUNTED_ROLES, status: CREDENTIAL_STATUSES },
  // the holders of each role
  tallies: ({ role, revokedAt }) => (revokedAt === null ? [{ facet: 'role', value: role }] : []),
  indexed: madeAndCurrent,
});
