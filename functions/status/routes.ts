import * as z from 'zod';
import { defineRoutes } from '#shared/http/route.ts';

export const Status = z
  .object({
    status: z.enum(['ok', 'degraded']),
    version: z.string().meta({ example: '1.6.0' }),
    checks: z.array(
      z.object({
        name: z.enum(['table', 'queues']),
        status: z.enum(['ok', 'failing']),
        latencyMilliseconds: z.int().nonnegative(),
      }),
    ),
  })
  .meta({ id: 'Status' });
export type Status = z.infer<typeof Status>;

const description =
  'The answer is 200 also when the service is `degraded`: it answers, and says which part does not. ' +
  'Checks are kept for five seconds, so that monitoring costs the same however often it asks.';

export const statusRoutes = defineRoutes({
  getUnversionedStatus: {
    method: 'GET',
    path: '/api/status',
    operation: 'unversioned status',
    summary: 'Whether the service works, for monitors that know no version',
    description,
    access: 'public',
    response: Status,
  },
  getStatus: {
    method: 'GET',
    path: '/api/v1/status',
    operation: 'Status',
    summary: 'Whether the service works',
    description,
    access: 'public',
    response: Status,
  },
});
