import * as z from 'zod';
import type { CodeHost } from '#shared/code/integrations/integration.ts';
import { analystOf, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { CodeTaskType, ScanDepth, USUAL_CODE_TASK_TYPES } from '#shared/scanning/scanner-tasks/code-scan.ts';
import { BranchView } from './view.ts';

const ScanRequest = z
  .object({
    commit: z
      .string()
      .regex(
        /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
        'must be a whole commit hash: 40 or 64 hexadecimal digits in lower case',
      )
      .optional()
      .meta({ description: 'absent: the head of the branch' }),
    taskTypes: z
      .array(CodeTaskType)
      .min(1)
      .max(CodeTaskType.options.length)
      .default([...USUAL_CODE_TASK_TYPES]),
    depth: ScanDepth.default('full').meta({
      description:
        '`changes`: the files that differ from the default branch, and of that one those that differ from its last scan',
    }),
  })
  .meta({ id: 'BranchScanRequest', example: { taskTypes: ['sast'], depth: 'full' } });

const software = '/api/v1/software';
const analyst = analystOf('assets');
const names: Record<CodeHost, string> = { codehost_a: 'GitHub', codehost_b: 'GitLab' };

const scanOn = <const H extends CodeHost>(vendor: H) =>
  post(`${software}/${vendor}/branches/{id}/scan/sast`, {
    operation: 'Trigger SAST scan for the branch',
    summary: `Scan a branch of a repository of ${names[vendor]}`,
    description:
      'Creates a scanner task for each type and answers the first; the `result` of `taskId` names all tasks. If a task of the same ' +
      'commit, type and depth has not ended, the answer names that task instead. Without a suitable scanner the task waits, and ' +
      '`waitingReason` has the reason. The findings belong to the branch in the same way as the findings of an import ' +
      '(docs/branches.md). The scanner gets the credentials of the kind `code_host` that are bound to the repository. With ' +
      '`changes` no finding is closed. The answer is `conflict` if the repository is archived, deleted or unreachable, or if the ' +
      'branch was deleted.',
    access: writes('scans:trigger'),
    body: ScanRequest,
    response: QueuedResponse,
  });

/** The branches of one code host. */
const branchesOf = <const H extends CodeHost>(vendor: H) =>
  ({
    listBranches: get(`${software}/${vendor}/repos/{repo_id}/branches`, {
      operation: 'List branches',
      summary: `List the branches of a repository of ${names[vendor]}, newest first`,
      description: 'The list comes from push events. Deleted branches are not listed.',
      access: reads('assets:read'),
      query: Listing,
      response: pageOf(BranchView),
    }),
    getBranch: get(`${software}/${vendor}/branches/{id}`, {
      operation: 'Get branch',
      summary: `Read a branch of a repository of ${names[vendor]}`,
      description: '`GET /api/v1/findings?assetId=<asset>&ref=<name>` lists the findings of the branch.',
      access: reads('assets:read'),
      query: Pagination,
      response: BranchView,
    }),
    updateBranch: patch(`${software}/${vendor}/branches/{id}`, {
      operation: 'Update branch',
      summary: `Change the protection, scans or tags of a branch of a repository of ${names[vendor]}`,
      description: "A merge patch. null uses the value of the code host or of the repository's policy.",
      access: analyst,
      body: patchBody(BranchView),
      response: BranchView,
    }),
  }) as const;

const a = branchesOf('codehost_a');
const b = branchesOf('codehost_b');

export const codeBranchRoutes = defineRoutes({
  listCodehostABranches: a.listBranches,
  getCodehostABranch: a.getBranch,
  updateCodehostABranch: a.updateBranch,
  scanCodehostABranch: scanOn('codehost_a'),
  listCodehostBBranches: b.listBranches,
  getCodehostBBranch: b.getBranch,
  updateCodehostBBranch: b.updateBranch,
  scanCodehostBBranch: scanOn('codehost_b'),
});
