import { Preview } from '#shared/findings/bulk/preview.ts';
import { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { acceptsRisks, reads, writes } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings/rules';

export const findingRuleRoutes = defineRoutes({
  listFindingRules: {
    method: 'GET',
    path,
    summary: 'List suppression rules, newest first',
    description:
      'Rules decide by their `order`, whatever their place in this list. It has disabled and expired rules, too.',
    access: reads('findings:read'),
    query: Pagination,
    response: pageOf(SuppressionRule),
  },
  createFindingRule: {
    method: 'POST',
    path,
    summary: 'Decide once for all findings that meet some conditions',
    description:
      'The rule gives its `status` and `reason` to open findings that meet all of its conditions: to those that stand, by ' +
      'the task `taskId`, and to those that scans report later. Each finding names it (`suppressedBy`, and in its ' +
      'history); `GET /api/v1/findings?suppressedBy=<id>` lists them. When the rule is removed, disabled or expires, they ' +
      'get their former status back. A decision that a person makes after the rule was created stands. An organization ' +
      'has at most 200 rules.',
    access: acceptsRisks(writes('findings:write')),
    body: createBody(SuppressionRule),
    response: SuppressionRule,
  },
  previewFindingRule: {
    method: 'POST',
    path: `${path}/preview`,
    summary: 'Count the findings that a rule would suppress',
    description:
      'Takes the body of a new rule and changes nothing. `matched` counts the open findings that have its `ruleId`, ' +
      '`tool` and `cve`; the other conditions and rules are tried on the newest 1,000 of them: `changed` counts those ' +
      'that the rule would suppress.',
    access: reads('findings:read'),
    body: createBody(SuppressionRule),
    response: Preview,
  },
  getFindingRule: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a suppression rule',
    description:
      '`taskId` is the task that brought the findings to what the rule says. A rule that has expired is ' +
      'answered, too: only its effect has ended.',
    access: reads('findings:read'),
    response: SuppressionRule,
  },
  updateFindingRule: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a suppression rule',
    description: 'A task (`taskId`) brings the findings to what the rule says now.',
    access: acceptsRisks(writes('findings:write')),
    body: patchBody(SuppressionRule),
    response: SuppressionRule,
  },
  deleteFindingRule: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a suppression rule',
    description: 'A task gives its findings their former status back.',
    access: writes('findings:write'),
    response: Deletion,
  },
});
