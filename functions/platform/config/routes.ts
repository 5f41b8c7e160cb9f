import * as z from 'zod';
import { OrganizationSettings } from '#shared/credentials/organization-settings.ts';
import { admin, manager, platformOwner } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch } from '#shared/platform/http/route.ts';
import { OrganizationLimits } from '#shared/platform/quotas/quotas.ts';

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
const limits = '/api/v1/organizations/{id}/limits';

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
    response: OrganizationSettings,
  }),
  updateOrganizationSettings: patch(settings, {
    summary: 'Change settings of your organization',
    description: 'A merge patch: null restores the default.',
    access: admin,
    body: patchBody(OrganizationSettings),
    response: OrganizationSettings,
  }),
  getOrganizationLimits: get(limits, {
    summary: 'Read the limits of an organization',
    description:
      'A limit that nobody set has its default. The organization reads the current use of each limit with `GET /api/v1/config`. An ' +
      'id that is no organization of the deployment is `not_found`.',
    access: manager,
    response: OrganizationLimits,
  }),
  updateOrganizationLimits: patch(limits, {
    summary: 'Change limits of an organization',
    description:
      'A merge patch: null restores the default. A lower limit removes nothing that the organization already has. ' +
      '`requestsPerSecond` and `heldRequests` change within a minute.',
    access: platformOwner,
    body: patchBody(OrganizationLimits),
    response: OrganizationLimits,
  }),
});
