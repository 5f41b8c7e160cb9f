import { repositoryOn } from '#shared/code/code-scans/branch-on.ts';
import { nextScan, scanTimerWrites, scheduleProblem } from '#shared/code/code-scans/schedule.ts';
import type { CodeHost } from '#shared/code/integrations/integration.ts';
import { repositoryFilter } from '#shared/code/repositories/filter-fields.ts';
import { LISTED_STATUSES, type Repository, repositories } from '#shared/code/repositories/repository.ts';
import { updateAsset } from '#shared/exposure/asset-actions/update.ts';
import { assertGateFilter } from '#shared/findings/gate/gate.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { withSaved } from '#shared/platform/filter/rule.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Selection } from '#shared/platform/table/list.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { setApplication } from './application.ts';
import type { repositoryRoutes } from './routes.ts';
import { ASSET_FIELDS, RepositoryView, repositoryView, repositoryViews } from './view.ts';

type Routes = typeof repositoryRoutes;
type Where = NonNullable<Selection['where']>;

type Listed = PageRange & { search?: string | undefined; filter?: string | undefined; filterId?: string | undefined };

async function list({ table, caller }: { table: Table; caller: Caller }, where: Where, query: Listed) {
  const { search, ...range } = await withMatching({ table, caller }, repositoryFilter, query);
  const asked = { ...range, where: { ...where, status: LISTED_STATUSES }, ...(search !== undefined && { search }) };
  return showPage(table.list(repositories, asked), (some) => repositoryViews(table, some));
}

/** Changes the asset first: a request that was cut off between both may be sent again. */
async function update(vendor: CodeHost, call: Call<Routes['updateCodehostARepo']>): Promise<RepositoryView> {
  const { connections, table, caller, params, body, ifMatch } = call;
  const current = await repositoryOn(table, { vendor, id: params.id }, true);
  const wanted = mergePatch(RepositoryView, await repositoryView(table, current), { patch: body, ifMatch });
  if (!wanted) return repositoryView(table, current);
  const { scanPolicy, applicationId, ...rest } = wanted;
  const policy = scanPolicy && (await policyChanges(table, current, { scanPolicy, given: Object(body.scanPolicy) }));
  const patch = Object.fromEntries(ASSET_FIELDS.flatMap((name) => (name in rest ? [[name, rest[name]]] : [])));
  if (Object.keys(patch).length > 0)
    await updateAsset({ connections, table, caller }, { id: current.assetId, patch, ifMatch: undefined });
  if (applicationId !== undefined) await setApplication({ connections, table }, current.assetId, applicationId);
  await wakeViewsSoon({ connections, table });
  return repositoryView(table, policy ? await setPolicy(table, current, policy) : current);
}

type Policy = Repository['scanPolicy'];
type Wanted = { scanPolicy: Policy; given: Pick<Policy, 'filter' | 'filterId'> };

/** A schedule counts from the moment at which it is set. @throws validation_failed */
async function policyChanges(table: Table, current: Repository, wanted: Wanted): Promise<Partial<Repository>> {
  const at = 'scanPolicy.';
  const scanPolicy = await withSaved(table, 'finding', { rule: wanted.scanPolicy, given: wanted.given, at });
  if (scanPolicy.filter != null) await assertGateFilter(scanPolicy.filter, `${at}filter`);
  if (scanPolicy.schedule === current.scanPolicy.schedule) return { scanPolicy };
  const problem = scheduleProblem(scanPolicy);
  if (problem) throw invalid('scanPolicy.schedule', problem);
  const scheduledAt = now();
  return { scanPolicy, scheduledAt, nextScanAt: nextScan({ scanPolicy, scheduledAt }) };
}

const setPolicy = (table: Table, current: Repository, changes: Partial<Repository>): Promise<Repository> =>
  table.update(repositories, current, changes, (batch, next) =>
    batch.write(...scanTimerWrites(table, current, next.nextScanAt ?? null)),
  );

export const repositoryHandlers: Handlers<Routes> = {
  searchRepos: ({ query: { provider, ...query }, ...at }) => list(at, { vendor: provider }, query),
  listRepositories: ({ query: { archived, ...query }, ...at }) => list(at, { archived }, query),
  listCodehostARepos: ({ query, ...at }) => list(at, { vendor: 'codehost_a' }, query),
  getCodehostARepo: async ({ table, params }) =>
    repositoryView(table, await repositoryOn(table, { vendor: 'codehost_a', id: params.id })),
  updateCodehostARepo: (call) => update('codehost_a', call),
  listCodehostBRepos: ({ query, ...at }) => list(at, { vendor: 'codehost_b' }, query),
  getCodehostBRepo: async ({ table, params }) =>
    repositoryView(table, await repositoryOn(table, { vendor: 'codehost_b', id: params.id })),
  updateCodehostBRepo: (call) => update('codehost_b', call),
};
