import { Branch, ENDED_BRANCH_DAYS } from '#shared/findings/branches/branch.ts';
import { orImporters, reads, writes } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { Id, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, remove } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { gateRoutes, NamedBranch } from './gate-routes.ts';

const path = '/api/v1/scanned-branches';

export const branchRoutes = defineRoutes({
  ...gateRoutes,
  listBranches: get(path, {
    summary: 'List the scanned branches of repositories, newest first',
    description:
      'Lists and dashboards show the findings of the default branch. Another branch has only the findings that the default branch ' +
      'lacks: `GET /api/v1/findings?ref=<name>`.',
    access: reads('findings:read'),
    query: Listing.extend({ assetId: Id.optional().meta({ description: 'of the repository' }) }),
    response: pageOf(Branch),
  }),
  updateBranch: patch(`${path}/{id}`, {
    summary: 'Make a branch the default branch of its repository',
    description:
      'The next scan of the branch takes over the findings that both branches have. Findings that only the former default branch ' +
      'has stay in lists until a person triages them, or until a scan of the new default branch proves them gone.',
    access: writes('findings:write'),
    body: patchBody(Branch),
    response: Branch,
  }),
  endBranch: remove(`${path}/{id}`, {
    summary: 'End a branch and close the findings that only it has',
    description:
      'A branch that is not scanned for `branchDays` of the organization (default 30) ends automatically. Merged findings belong ' +
      `to the default branch. The other findings are closed, and removed after ${ENDED_BRANCH_DAYS} more days; until then a later ` +
      'merge keeps their triage.',
    access: orImporters(writes('findings:write')),
    response: QueuedResponse,
  }),
  endNamedBranch: remove(path, {
    summary: 'End a branch by its repository and name',
    description:
      'For a CI job that runs when a branch is deleted or a pull request is closed: as `DELETE /api/v1/scanned-branches/{id}`, ' +
      'with the `repository` and the `ref` that its imports had.',
    access: orImporters(writes('findings:write')),
    query: NamedBranch,
    response: QueuedResponse,
  }),
});
