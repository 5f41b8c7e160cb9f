import * as z from 'zod';
import { BulkChanges } from '#shared/findings/bulk/findings.ts';
import { Preview } from '#shared/findings/bulk/sample.ts';
import { findingFilters } from '#shared/findings/finding/filter.ts';
import { FindingCreate } from '#shared/findings/finding/manual-finding.ts';
import { OfEngagement } from '#shared/findings/triage/of-engagement.ts';
import { approverId } from '#shared/findings/triage/people.ts';
import { ShownFinding } from '#shared/findings/view/shown-finding.ts';
import { acceptsRisks, orStaff, reads, writes } from '#shared/platform/auth/access.ts';
import { dryRun, whichOf } from '#shared/platform/http/many.ts';
import { Deletion, objectNamed } from '#shared/platform/http/records.ts';
import { defineRoutes, patch, post, remove } from '#shared/platform/http/route.ts';
import { answerOrPreview, WaitedResponse, WaitSeconds } from '#shared/platform/jobs/wait.ts';

const path = '/api/v1/findings';

const FindingsUpdate = objectNamed('FindingsUpdate', {
  ...whichOf('findings', findingFilters),
  changes: BulkChanges.default({}).meta({ example: { status: 'false_positive', addTags: ['test-data'] } }),
  reason: z.string().min(1).max(300).optional().meta({
    description: 'kept in the history of each finding; also becomes `statusReason` of a new status',
    example: 'these are test data',
  }),
  approverId: approverId.optional(),
  dryRun,
});
export type FindingsUpdate = z.output<typeof FindingsUpdate>;

const FindingsUpdateAnswer = answerOrPreview(Preview).meta({ id: 'FindingsUpdateAnswer' });

export const findingUpdateRoutes = defineRoutes({
  createFinding: post(path, {
    summary: 'Create a finding by hand',
    description:
      'The `tool` of the finding is `manual`. No report closes or changes the finding: set its status by hand. Due date, priority, ' +
      'suppression rules, history and change feed work as for findings of reports. People may change its texts and delete it. ' +
      '`asset` follows the rules for the target of an import. The lead and the members of an engagement, also staff of the ' +
      'provider, create its findings with `engagementId`; other findings need the role analyst.',
    access: orStaff('pentester', reads('findings:write')),
    inPart: 'seen',
    body: FindingCreate,
    response: ShownFinding,
  }),
  deleteFinding: remove(`${path}/{id}`, {
    summary: 'Delete a finding that a person created',
    description:
      'A finding of a report is refused (`conflict`), because the next report would create it again: set its status, undo the ' +
      'import, or delete the asset. Staff of the provider delete the findings of their engagements with `engagementId`.',
    access: orStaff('pentester', writes('findings:write')),
    irreversible: true,
    inPart: 'seen',
    query: OfEngagement,
    response: Deletion,
  }),
  updateFindings: patch(path, {
    summary: 'Triage many findings at once, by their ids or by a filter',
    description:
      'A task makes these changes under your name, with the same rules as a PATCH of each finding; with `waitSeconds` the answer ' +
      'has the finished task. A filter selects the findings that fit when the task begins; a filter by `applicationId` ' +
      'first waits for rules about assets that are being applied (`progress.waitsFor`). Its `result` is `{matched, changed, ' +
      'unchanged, refused: [{id, code, message}], refusedCount, results?}`: `refused` has the first 50, `results` the outcome of ' +
      'each id. If a finding refuses the change (its status cannot follow, or its id does not exist), the finding stays as it is, ' +
      'and the task continues with the others.',
    access: acceptsRisks(writes('findings:write')),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    body: FindingsUpdate,
    response: FindingsUpdateAnswer,
  }),
  undoFindingsUpdate: post(`${path}/bulk/{taskId}/undo`, {
    summary: 'Undo a change of many findings, for a day after its end',
    description:
      'Each finding gets its former values back, unless one of the changed fields has changed again. The `result` is `{matched, ' +
      'restored, changedSince: [{id, code, message}], changedSinceCount}`; `changedSince` has the first 50. Another request gets ' +
      'the same task.',
    access: writes('findings:write'),
    inPart: 'seen',
    query: z.object({ waitSeconds: WaitSeconds }),
    response: WaitedResponse,
  }),
});
