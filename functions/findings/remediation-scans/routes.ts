import { reads } from '#shared/platform/auth/access.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

export const remediationScanRoutes = defineRoutes({
  verifyRemediation: {
    method: 'POST',
    path: '/api/v1/remediations/{id}/verify',
    summary: 'Scan the assets of a remediation again',
    description:
      'Creates an engagement of the kind `retest`, as the one that found most of the findings: the targets on which they lie, with ' +
      'its task types, parameters and scanners. Its scans close what is gone, and prove a `done` remediation (`verified`). It ' +
      'waits for a decision where any engagement of yours would. Findings that only imports brought are proven by the next ' +
      'import of the same target: `conflict`.',
    access: reads('scans:trigger'),
    response: QueuedResponse,
  },
});
