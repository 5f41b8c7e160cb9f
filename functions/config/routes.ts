import * as z from 'zod';
import { Pagination, pageOf } from '#shared/http/pagination.ts';
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
});
