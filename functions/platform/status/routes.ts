import * as z from 'zod';
import { objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, get } from '#shared/platform/http/route.ts';

export const Status = objectNamed('Status', {
  status: z.enum(['ok', 'degraded']),
  version: z.string().meta({ example: '1.8.0' }),
  checks: z.array(
    z.object({
      name: z.enum(['table', 'queues', 'bucket']),
      status: z.enum(['ok', 'failing']),
      latencyMilliseconds: z.int().nonnegative(),
    }),
  ),
});
export type Status = z.infer<typeof Status>;

const description =
  'The status code is 200 even when the service is `degraded`; `checks` names the failing part. Checks are cached for five ' +
  'seconds, so frequent monitoring adds no cost.';

export const statusRoutes = defineRoutes({
  getUnversionedStatus: get('/api/status', {
    operation: 'unversioned status',
    summary: 'Get the state of the service without a version in the path',
    description,
    access: 'public',
    response: Status,
  }),
  getStatus: get('/api/v1/status', {
    operation: 'Status',
    summary: 'Get the state of the service',
    description,
    access: 'public',
    response: Status,
  }),
});
