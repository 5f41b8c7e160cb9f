import * as z from 'zod';
import { Branch, ENDED_BRANCH_DAYS } from '#shared/findings/branches/branch.ts';
import { FindingOrder, findingFilters } from '#shared/findings/finding/filter.ts';
import { Finding, FindingListItem } from '#shared/findings/finding/finding.ts';
import { FindingComment } from '#shared/findings/finding/finding-comment.ts';
import { FINDING_STATUSES } from '#shared/findings/finding/finding-status.ts';
import { FindingCreate, ManualFinding } from '#shared/findings/finding/manual-finding.ts';
import { approverId } from '#shared/findings/triage/people.ts';
import { acceptsRisks, reads, writes } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf, SearchQuery, searchPageOf } from '#shared/platform/http/pagination.ts';
import { Actor, createBody, Deletion, Id, patchBody, Timestamp } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

const path = '/api/v1/findings';

/** A PATCH takes these beside the finding's own fields. */
const beside = {
  status: z.enum(FINDING_STATUSES).meta({ example: 'in_progress' }),
  reason: z.string().min(1).max(300).nullish().meta({
    description: 'kept in the history with whatever this request changes; also becomes `statusReason` of a new status',
    example: 'confirmed by hand, the upgrade is planned',
  }),
  approverId: approverId.nullish(),
};

const FindingUpdate = ManualFinding.extend(beside).meta({ id: 'FindingUpdate' });

/** The body for a finding that somebody wrote. The texts of a report may only be sent back, however its tool wrote them. */
export const ManualPatch = patchBody(FindingUpdate);
const ReportedPatch = patchBody(Finding.extend(beside), FindingUpdate);

const FindingChange = z
  .object({
    version: z.int().positive().meta({ description: 'of the finding after the change' }),
    at: Timestamp,
    by: Actor,
    changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).meta({
      example: { status: { from: 'open', to: 'in_progress' } },
    }),
    reason: z.string().nullable(),
    scanTaskId: Id.nullable().meta({ description: 'of the scan that closed or reopened it' }),
    taskId: Id.nullable().meta({ description: 'of the change of many findings that this one is part of' }),
    vulnerabilityIds: z
      .array(Id)
      .meta({ description: 'the vulnerabilities whose decision the finding followed with it' }),
  })
  .meta({ id: 'FindingChange' });

export const findingRoutes = defineRoutes({
  listFindings: {
    method: 'GET',
    path,
    summary: 'List findings, newest first',
    description:
      'All filters combine with each other, with `search` and with `sort`: a finding must fit all of them. Any page costs ' +
      'the same, up to position 1,000 of a sorted list. To follow changes, use `GET /api/v1/changes?entity=finding`.',
    access: reads('findings:read'),
    query: Pagination.extend({ ...findingFilters, sort: FindingOrder }),
    response: searchPageOf(FindingListItem),
  },
  searchFindings: {
    method: 'GET',
    path: `${path}/search`,
    summary: 'Search findings by the words of CVE, asset, rule, file, title and tool',
    description:
      'Each word of `search` must be the beginning of a word of the finding: `cve-2021 ngi` finds CVE-2021-23017 on ' +
      'nginx; a word in quotation marks must be one as a whole. The first 16 different words of a finding count, in this ' +
      "order: up to two CVEs, the last part of the asset's name, the host of a URL, the rule, the file's name, the title " +
      '(which names products and versions), the tool. Of a path such as `src/api/app.py:12` the name of the file is ' +
      'looked for. The filters of the list combine with the words.',
    access: reads('findings:read'),
    query: SearchQuery.extend({ ...findingFilters, sort: FindingOrder }),
    response: searchPageOf(FindingListItem),
  },
  createFinding: {
    method: 'POST',
    path,
    summary: 'Write a finding that no report brings',
    description:
      'Its `tool` is `manual`. No report closes it or changes it: set its status by hand. Due date, priority, suppression ' +
      'rules, history and change feed hold as for findings of reports, and its texts may be changed and it may be deleted. ' +
      '`asset` is taken as the target of an import is.',
    access: writes('findings:write'),
    body: FindingCreate,
    response: Finding,
  },
  deleteFinding: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a finding that somebody wrote',
    description:
      'A finding of a report is refused (`conflict`), because the next report would bring it again: set its status, undo the ' +
      'import, or delete the asset.',
    access: writes('findings:write'),
    response: Deletion,
  },
  getFinding: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a finding with its evidence',
    description:
      '`lastSeenAt` and `occurrences` come from the last scan of its scope; seeing it again changes nothing else.',
    access: reads('findings:read'),
    response: Finding,
  },
  updateFinding: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Triage a finding: status, severity, assignee, tags, dates',
    description:
      'A merge patch. A status that cannot follow the present one is refused (`conflict`; the message says which can). ' +
      'A severity set here stays, whatever later scans say; priority follows it, and so does `dueAt` unless it was set ' +
      'by hand. `acceptedUntil` belongs to `risk_accepted`; then the finding is open again by itself, due as before, and ' +
      'not counted as reopened, for nothing was fixed; with `restartSla` it is due as if it were found at that end. `risk_accepted` needs a `reason`; `acceptance` shows it with the ' +
      'approver and the end. `assigneeId` is the id of a service account or your own; null ' +
      'takes the assignee away. Taking an open finding makes it `in_progress`, and giving it back `open`, unless the ' +
      'request names a status. The first change of status or assignee acknowledges the finding. Every change is ' +
      'kept with who, when, from, to and `reason`: `GET /api/v1/findings/{id}/history`. A viewer may move the status of a ' +
      'finding that is assigned to him to open, in_progress or fixed. Title, description, place, identifiers, evidence, references ' +
      'and remediation can be changed where `taskId` is null: somebody wrote such a finding.',
    access: acceptsRisks(reads('findings:write')),
    body: ReportedPatch,
    response: Finding,
  },
  listFindingComments: {
    method: 'GET',
    path: `${path}/{id}/comments`,
    summary: 'List the comments on a finding, newest first',
    description:
      'A finding that moves from a branch to the default one keeps them. One that is deleted has none any more.',
    access: reads('findings:read'),
    query: Pagination,
    response: pageOf(FindingComment),
  },
  createFindingComment: {
    method: 'POST',
    path: `${path}/{id}/comments`,
    summary: 'Comment on a finding',
    description:
      'The text is Markdown and is kept as it was sent: whoever shows it must make it safe. It names its author.',
    access: writes('findings:write'),
    body: createBody(FindingComment),
    response: FindingComment,
  },
  updateFindingComment: {
    method: 'PATCH',
    path: `${path}/{id}/comments/{commentId}`,
    summary: 'Change a comment of your own',
    description: 'A merge patch. Nobody else may change it, an administrator neither (`conflict`).',
    access: writes('findings:write'),
    body: patchBody(FindingComment),
    response: FindingComment,
  },
  deleteFindingComment: {
    method: 'DELETE',
    path: `${path}/{id}/comments/{commentId}`,
    summary: 'Delete a comment of your own',
    description: 'For good. Nobody else may delete it, an administrator neither (`conflict`).',
    access: writes('findings:write'),
    response: Deletion,
  },
  listBranches: {
    method: 'GET',
    path: `/api/v1/scanned-branches`,
    summary: 'List the scanned branches of repositories, newest first',
    description:
      'The findings of the default branch are those of lists and dashboards. Another branch has only what the default one has ' +
      'not: `GET /api/v1/findings?ref=<name>`.',
    access: reads('findings:read'),
    query: Pagination.extend({ assetId: Id.optional().meta({ description: 'of the repository' }) }),
    response: pageOf(Branch),
  },
  updateBranch: {
    method: 'PATCH',
    path: `/api/v1/scanned-branches/{id}`,
    summary: 'Make a branch the default one of its repository',
    description:
      'Its next scan takes over the findings that both have. What only the branch before it has stays listed until it is ' +
      'triaged, or until a scan of the new one proves it gone.',
    access: writes('findings:write'),
    body: patchBody(Branch),
    response: Branch,
  },
  endBranch: {
    method: 'DELETE',
    path: `/api/v1/scanned-branches/{id}`,
    summary: 'End a branch and close what only it has',
    description:
      'A branch that is not scanned for `branchDays` of the organization (30 unless an administrator changes it) ends by ' +
      'itself. What was merged belongs to the default branch. The others are closed, and removed after further ' +
      `${ENDED_BRANCH_DAYS} days; until then a later merge still brings their triage along.`,
    access: writes('findings:write'),
    response: QueuedResponse,
  },
  listFindingHistory: {
    method: 'GET',
    path: `${path}/{id}/history`,
    summary: 'List the changes of a finding, newest first',
    description: 'The newest 500 changes by people and scans.',
    access: reads('findings:read'),
    response: z.array(FindingChange),
  },
});
