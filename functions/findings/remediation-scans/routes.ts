import { reads } from '#shared/platform/auth/access.ts';
import { defineRoutes, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'its scans look at assets of several parts';

export const remediationScanRoutes = defineRoutes({
  verifyRemediation: post('/api/v1/remediations/{id}/verify', {
    summary: 'Scan the assets of a remediation again',
    description:
      'Creates an engagement of the kind `retest`. Its targets are the assets of the findings; task types, parameters and scanners ' +
      'are those of the engagement that found most of the findings. Its scans close findings that are gone, and can prove a `done` ' +
      'remediation (`verified`). The engagement needs the same approval as your other engagements. If only imports reported the ' +
      'findings, the request is refused (`conflict`): the next import of the same target proves these findings gone.',
    access: reads('scans:trigger'),
    closedToPart,
    response: QueuedResponse,
  }),
});
