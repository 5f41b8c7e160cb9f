import * as z from 'zod';
import { OrganizationSettings } from '#shared/credentials/organization-settings.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch } from '#shared/platform/http/route.ts';

export const ConfigItem = objectNamed('ConfigItem', {
  key: z.string().meta({ example: 'tasks.kept' }),
  value: z.union([z.string(), z.int(), z.boolean()]),
  type: z.enum(['string', 'integer', 'boolean', 'duration']).meta({ description: 'durations are in seconds' }),
  source: z.enum(['default', 'deployment', 'organization']).meta({ description: 'the origin of the value' }),
  description: z.string(),
  used: z.int().optional().meta({ description: 'of a limit: how much is used now' }),
});
export type ConfigItem = z.infer<typeof ConfigItem>;

const settings = '/api/v1/organization/settings';

export const configRoutes = defineRoutes({
  listConfig: get('/api/v1/config', {
    operation: 'HandleGetInstanceConfig',
    summary: 'List the limits and intervals of this service',
    description:
      'Keys that begin with `limits.` are limits of your organization; `used` is the current use. A request that would exceed a ' +
      'limit is answered with `limit_exceeded`.',
    access: 'authenticated',
    query: Pagination,
    response: pageOf(ConfigItem),
  }),
  getOrganizationSettings: get(settings, {
    summary: 'Read the settings of your organization',
    description: 'A setting that nobody changed has its default.',
    access: { role: 'viewer' },
    inPart: 'same',
    response: OrganizationSettings,
  }),
  updateOrganizationSettings: patch(settings, {
    summary: 'Change settings of your organization',
    description:
      'A merge patch: null restores the default. Staff of the provider who act by a grant change neither the second step and the second ' +
      'person nor the lifetime of credentials.',
    access: admin,
    irreversible: 'sometimes',
    body: patchBody(OrganizationSettings),
    response: OrganizationSettings,
  }),
});
