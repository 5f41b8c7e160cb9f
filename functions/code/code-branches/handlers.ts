import { branchOn, repositoryOn } from '#shared/code/code-scans/branch-on.ts';
import type { CodeHost } from '#shared/code/integrations/integration.ts';
import { type CodeBranch, codeBranches } from '#shared/code/repositories/code-branch.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import type { codeBranchRoutes } from './routes.ts';
import { scanBranch } from './scan-branch.ts';
import { BranchView, branchView, branchViews } from './view.ts';

type Routes = typeof codeBranchRoutes;

async function listBranches(vendor: CodeHost, { table, params, query }: Call<Routes['listCodehostABranches']>) {
  const repository = await repositoryOn(table, { vendor, id: params.repo_id });
  const where = { repository: repository.id, status: 'active' };
  return showPage(table.list(codeBranches, { ...query, where }), (some) => branchViews(table, repository, some));
}

async function getBranch(vendor: CodeHost, { table, params }: Call<Routes['getCodehostABranch']>) {
  const { branch, repository } = await branchOn(table, { vendor, id: params.id });
  return branchView(table, repository, branch);
}

const updateBranch = (vendor: CodeHost, { table, params, body, ifMatch }: Call<Routes['updateCodehostABranch']>) =>
  retry(async () => {
    const { branch, repository } = await branchOn(table, { vendor, id: params.id }, true);
    const shown = await branchView(table, repository, branch);
    const wanted: Partial<CodeBranch> | undefined = mergePatch(BranchView, shown, { patch: body, ifMatch });
    return wanted ? branchView(table, repository, await table.update(codeBranches, branch, wanted)) : shown;
  });

const scan = async (vendor: CodeHost, call: Call<Routes['scanCodehostABranch']>) =>
  scanBranch(call, await branchOn(call.table, { vendor, id: call.params.id }, true));

export const codeBranchHandlers: Handlers<Routes> = {
  listCodehostABranches: (call) => listBranches('codehost_a', call),
  getCodehostABranch: (call) => getBranch('codehost_a', call),
  updateCodehostABranch: (call) => updateBranch('codehost_a', call),
  scanCodehostABranch: (call) => scan('codehost_a', call),
  listCodehostBBranches: (call) => listBranches('codehost_b', call),
  getCodehostBBranch: (call) => getBranch('codehost_b', call),
  updateCodehostBBranch: (call) => updateBranch('codehost_b', call),
  scanCodehostBBranch: (call) => scan('codehost_b', call),
};
