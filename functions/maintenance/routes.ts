import * as z from 'zod';
import { admin } from '#shared/auth/access.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { QueuedResponse } from '#shared/jobs/task.ts';

const Maintenance = z
  .object({
    work: z.enum(['rekey', 'verify']).meta({
      description:
        'rekey: count and index old records as this release declares; verify: recount every collection and compare',
    }),
    repair: z.boolean().default(false).meta({ description: 'with verify: mend what differs' }),
  })
  .meta({ id: 'Maintenance', example: { work: 'verify' } });

export const maintenanceRoutes = defineRoutes({
  startMaintenance: {
    method: 'POST',
    path: '/api/v1/organization/maintenance',
    summary: "Recount the organization's records, or bring them to this release's counters and search words",
    description:
      'Queued; the service goes on running. The result of `rekey` is `{seen, rewritten}`; of `verify` ' +
      '`{records, unsettled, differences: [{kind, pk, sk, attribute?, stands, expected, repaired}]}`, the first 100.',
    access: admin,
    body: Maintenance,
    response: QueuedResponse,
  },
});
