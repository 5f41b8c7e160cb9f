import * as z from 'zod';
import { SCOPES, type Scope } from '#shared/platform/auth/permissions.ts';
import { objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { defineEntity } from '#shared/platform/table/entity.ts';
import { BoundTo } from './bound-to.ts';
import { CREDENTIAL_STATUSES, lifeFields, madeAndCurrent } from './credential-status.ts';

const scopeNames = Object.keys(SCOPES) as Scope[];

export const ApiKey = objectNamed('ApiKey', {
  ...recordFields,
  name: z.string().trim().min(1).max(120).meta({ example: 'CI of the shop' }),
  scopes: z
    .array(z.enum(scopeNames))
    .min(1)
    .max(scopeNames.length)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'each scope once')
    .meta({ example: ['imports:write'] }),
  boundTo: BoundTo.optional(),
  ...lifeFields,
  clientId: readOnly(z.string()).meta({ description: 'for `POST /api/v1/oauth/token`', readOnly: true }),
  status: readOnly(z.enum(CREDENTIAL_STATUSES)),
  revokedAt: readOnly(Timestamp.nullable()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const apiKeys = defineEntity(ApiKey, {
  name: 'api-key',
  feedFields: ['name', 'scopes', 'boundTo', 'expiresAt', 'status', 'revokedAt'],
  indexed: madeAndCurrent,
});
