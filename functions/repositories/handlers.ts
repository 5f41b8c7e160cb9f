import { updateAsset } from '#shared/assets/update.ts';
import { type CodeBranch, codeBranches } from '#shared/entities/code-branch.ts';
import type { CodeHost } from '#shared/entities/integration.ts';
import { type Repository, repositories } from '#shared/entities/repository.ts';
import { showPage } from '#shared/http/pagination.ts';
import { mergePatch } from '#shared/http/records.ts';
import type { Call, Handlers } from '#shared/http/route.ts';
import { notFound } from '#shared/runtime/errors.ts';
import { retry } from '#shared/runtime/retry.ts';
import type { Selection } from '#shared/table/list.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';
import { wakeViewsSoon } from '#shared/views/wake.ts';
import { BranchView, branchView, branchViews } from './branch-view.ts';
import type { repositoryRoutes } from './routes.ts';
import { ASSET_FIELDS, RepositoryView, repositoryView, repositoryViews } from './view.ts';

type Routes = typeof repositoryRoutes;
type Where = NonNullable<Selection['where']>;

const KEPT = ['active', 'archived', 'inaccessible'];

function list(table: Table, { where, search, ...range }: PageRange & { where: Where; search?: string | undefined }) {
  const asked = { ...range, where: { ...where, status: KEPT }, ...(search !== undefined && { search }) };
  return showPage(table.list(repositories, asked), (some) => repositoryViews(table, some));
}

/** @throws not_found for a repository of the other code host */
async function repositoryOn(table: Table, vendor: CodeHost, id: string, consistent = false): Promise<Repository> {
  const repository = await table.get(repositories, id, consistent);
  if (repository.vendor !== vendor) throw notFound('repository', id);
  return repository;
}

/** @throws not_found for a branch of the other code host */
async function branchOn(table: Table, vendor: CodeHost, id: string, consistent = false) {
  const branch = await table.get(codeBranches, id, consistent);
  if (branch.vendor !== vendor) throw notFound('branch', id);
  return { branch, repository: await table.get(repositories, branch.repositoryId) };
}

/** Changes the asset first: a request that was cut off between both may be sent again. */
async function update(vendor: CodeHost, call: Call<Routes['updateCodehostARepo']>): Promise<RepositoryView> {
  const { connections, table, caller, params, body, ifMatch } = call;
  const standing = await repositoryOn(table, vendor, params.id, true);
  const wanted = mergePatch(RepositoryView, await repositoryView(table, standing), { patch: body, ifMatch });
  if (!wanted) return repositoryView(table, standing);
  const { scanPolicy, ...rest } = wanted;
  const patch = Object.fromEntries(ASSET_FIELDS.flatMap((name) => (name in rest ? [[name, rest[name]]] : [])));
  if (Object.keys(patch).length > 0)
    await updateAsset({ connections, table, caller }, { id: standing.assetId, patch, ifMatch: undefined });
  await wakeViewsSoon({ connections, table });
  const next = scanPolicy ? await table.update(repositories, standing, { scanPolicy }) : standing;
  return repositoryView(table, next);
}

async function listBranches(vendor: CodeHost, { table, params, query }: Call<Routes['listCodehostABranches']>) {
  const repository = await repositoryOn(table, vendor, params.repo_id);
  const where = { repository: repository.id, status: 'active' };
  return showPage(table.list(codeBranches, { ...query, where }), (some) => branchViews(table, repository, some));
}

async function getBranch(vendor: CodeHost, { table, params }: Call<Routes['getCodehostABranch']>) {
  const { branch, repository } = await branchOn(table, vendor, params.id);
  return branchView(table, repository, branch);
}

const updateBranch = (vendor: CodeHost, { table, params, body, ifMatch }: Call<Routes['updateCodehostABranch']>) =>
  retry(async () => {
    const { branch, repository } = await branchOn(table, vendor, params.id, true);
    const shown = await branchView(table, repository, branch);
    const wanted: Partial<CodeBranch> | undefined = mergePatch(BranchView, shown, { patch: body, ifMatch });
    return wanted ? branchView(table, repository, await table.update(codeBranches, branch, wanted)) : shown;
  });

export const repositoryHandlers: Handlers<Routes> = {
  searchRepos: ({ table, query: { provider, ...query } }) => list(table, { ...query, where: { vendor: provider } }),
  listRepositories: ({ table, query: { archived, ...query } }) => list(table, { ...query, where: { archived } }),
  listCodehostARepos: ({ table, query }) => list(table, { ...query, where: { vendor: 'codehost_a' } }),
  getCodehostARepo: async ({ table, params }) =>
    repositoryView(table, await repositoryOn(table, 'codehost_a', params.id)),
  updateCodehostARepo: (call) => update('codehost_a', call),
  listCodehostABranches: (call) => listBranches('codehost_a', call),
  getCodehostABranch: (call) => getBranch('codehost_a', call),
  updateCodehostABranch: (call) => updateBranch('codehost_a', call),
  listCodehostBRepos: ({ table, query }) => list(table, { ...query, where: { vendor: 'codehost_b' } }),
  getCodehostBRepo: async ({ table, params }) =>
    repositoryView(table, await repositoryOn(table, 'codehost_b', params.id)),
  updateCodehostBRepo: (call) => update('codehost_b', call),
  listCodehostBBranches: (call) => listBranches('codehost_b', call),
  getCodehostBBranch: (call) => getBranch('codehost_b', call),
  updateCodehostBBranch: (call) => updateBranch('codehost_b', call),
};
