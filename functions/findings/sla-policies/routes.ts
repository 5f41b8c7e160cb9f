import { SlaPolicies } from '#shared/findings/sla/sla-policies.ts';
import { adminOf, reads } from '#shared/platform/auth/access.ts';
import { patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings/sla-policies';
const admin = adminOf('findings');

export const slaPolicyRoutes = defineRoutes({
  getSlaPolicies: get(path, {
    summary: 'Read the SLA policies: the days within which findings are due',
    description:
      '`days` by severity count from `firstSeenAt`, or from the return of a fixed finding. The first of the `exceptions` that fits ' +
      'the asset and names the severity overrides these days.',
    access: reads('findings:read'),
    inPart: 'same',
    response: SlaPolicies,
  }),
  updateSlaPolicies: patch(path, {
    summary: 'Change the SLA policies: the days within which findings are due',
    description:
      'A merge patch; `exceptions` are replaced whole. A task (`taskId`, operation `redate_findings`) moves the due dates of all ' +
      'findings that are not fixed, except the dates that a person chose (`dueChosen`). History and change feed name the system as ' +
      'the author of these changes, so that nobody is notified of each of them, and name you as the author of the policy change.',
    access: admin,
    body: patchBody(SlaPolicies),
    response: SlaPolicies,
  }),
});
