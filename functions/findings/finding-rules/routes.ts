import { SuppressionRule } from '#shared/findings/suppression/suppression-rule.ts';
import { acceptsRisks, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';

const path = '/api/v1/findings/rules';

/** Why a role for a part of the organization does not open these operations. */
const closedToPart = 'a rule decides about findings of all assets';

export const findingRuleRoutes = defineRoutes({
  listFindingRules: get(path, {
    summary: 'List suppression rules, newest first',
    description:
      'Rules apply in the order of their `order`, not of this list. The list has disabled and expired rules too.',
    access: reads('findings:read'),
    closedToPart,
    query: Listing,
    response: pageOf(SuppressionRule),
  }),
  createFindingRule: post(path, {
    summary: 'Create a suppression rule: one decision for all findings that meet its conditions',
    description:
      'The rule sets its `status` and `reason` on open findings that meet all of its conditions: the task `taskId` sets them on ' +
      'existing findings, and scans set them on later findings. Each finding names the rule (`suppressedBy`, and in its history); ' +
      '`GET /api/v1/findings?suppressedBy=<id>` lists these findings. When the rule is removed, disabled or expires, the findings ' +
      'get their former status back. A decision that a person makes after the creation of the rule overrides the rule. An ' +
      'organization has at most 200 rules. `POST /api/v1/previews` shows before which findings it changes.',
    access: acceptsRisks(writes('findings:write')),
    closedToPart,
    body: createBody(SuppressionRule),
    response: SuppressionRule,
  }),
  getFindingRule: get(`${path}/{id}`, {
    summary: 'Read a suppression rule',
    description:
      '`taskId` is the task that applied the rule to the findings. An expired rule can still be read: only its effect has ended.',
    access: reads('findings:read'),
    closedToPart,
    response: SuppressionRule,
  }),
  updateFindingRule: patch(`${path}/{id}`, {
    summary: 'Change a suppression rule',
    description: 'A task (`taskId`) applies the changed rule to the findings.',
    access: acceptsRisks(writes('findings:write')),
    closedToPart,
    body: patchBody(SuppressionRule),
    response: SuppressionRule,
  }),
  deleteFindingRule: remove(`${path}/{id}`, {
    summary: 'Delete a suppression rule',
    description: 'A task restores the former status of its findings.',
    access: writes('findings:write'),
    closedToPart,
    response: Deletion,
  }),
});
