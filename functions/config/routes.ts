import * as z from 'zod';
import { admin } from '#shared/auth/access.ts';
import { OrganizationSettings } from '#shared/entities/organization-settings.ts';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
import { patchBody } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';

export const ConfigItem = z
  .object({
    key: z.string().meta({ example: 'tasks.kept' }),
    value: z.union([z.string(), z.int(), z.boolean()]),
    type: z.enum(['string', 'integer', 'boolean', 'duration']).meta({ description: 'durations are in seconds' }),
    source: z.enum(['default', 'deployment', 'organization']).meta({ description: 'the origin of the value' }),
    description: z.string(),
  })
  .meta({ id: 'ConfigItem' });
export type ConfigItem = z.infer<typeof ConfigItem>;

const settings = '/api/v1/organization/settings';

export const configRoutes = defineRoutes({
  listConfig: {
    method: 'GET',
    path: '/api/v1/config',
    operation: 'HandleGetInstanceConfig',
    summary: 'List the limits and intervals of this service',
    access: 'authenticated',
    query: Pagination,
    response: pageOf(ConfigItem),
  },
  getOrganizationSettings: {
    method: 'GET',
    path: settings,
    summary: 'Read the settings of your organization',
    access: { role: 'viewer' },
    response: OrganizationSettings,
  },
  updateOrganizationSettings: {
    method: 'PATCH',
    path: settings,
    summary: 'Change settings of your organization',
    description: 'A merge patch: null restores the default.',
    access: admin,
    body: patchBody(OrganizationSettings),
    response: OrganizationSettings,
  },
});
