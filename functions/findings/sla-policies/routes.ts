import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { admin, reads } from '#shared/platform/auth/access.ts';
import { patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings/sla-policies';

export const slaPolicyRoutes = defineRoutes({
  getSlaPolicies: {
    method: 'GET',
    path,
    summary: 'Read within how many days findings should be fixed',
    description:
      '`days` by severity count from `firstSeenAt`, or from the return of a finding that was fixed. The first of the ' +
      '`exceptions` that fits the asset and names the severity counts instead.',
    access: reads('findings:read'),
    response: SlaPolicies,
  },
  updateSlaPolicies: {
    method: 'PATCH',
    path,
    summary: 'Change within how many days findings should be fixed',
    description:
      'A merge patch; `exceptions` are replaced whole. A task (`taskId`, operation `redate_findings`) moves the due dates ' +
      'of all findings that are not fixed, but none that a person chose (`dueChosen`). These changes are the ' +
      "system's in history and change feed, so that nobody is told of each of them; the change of the policies is yours.",
    access: admin,
    body: patchBody(SlaPolicies),
    response: SlaPolicies,
  },
});
