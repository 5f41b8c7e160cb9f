import { mayEnd, mayReport } from '#shared/findings/branches/bound.ts';
import { branches } from '#shared/findings/branches/branch.ts';
import { Gate, readyGate } from '#shared/findings/gate/gate.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { notFound } from '#shared/platform/runtime/errors.ts';
import { boundBranch, branchToEnd, endBranch, findBranch, updateBranch } from './branches.ts';
import { type Build, judgeBuild } from './build-gate.ts';
import type { branchRoutes } from './routes.ts';

type Asked = Call<typeof branchRoutes.judgeBuild>;

export const branchHandlers: Handlers<typeof branchRoutes> = {
  async judgeBuild(call) {
    const { branch, repositories } = await boundBranch(call, call.params.id, mayReport);
    return judged(call, { repositories, ref: branch.name, branch });
  },

  async judgeNamedBuild({ query: { repository, ref, ...query }, ...call }) {
    const { name, branch, repositories } = await findBranch(call.table, { repository, ref });
    if (!mayReport(call.caller, { repositories, ref: name })) throw notFound('branch', `${name} of ${repository}`);
    return judged({ ...call, query }, { repositories, ref: name, branch });
  },

  listBranches: ({ table, query: { assetId, ...page } }) =>
    table.list(branches, { ...page, ...(assetId !== undefined && { where: { asset: assetId } }) }),

  updateBranch: ({ table, params, body, ifMatch }) => updateBranch(table, params.id, { patch: body, ifMatch }),

  endBranch: async ({ connections, table, caller, params }) =>
    endBranch({ connections, table }, (await boundBranch({ table, caller }, params.id, mayEnd)).branch),

  endNamedBranch: async ({ connections, table, caller, query }) =>
    endBranch({ connections, table }, await branchToEnd({ table, caller }, query)),
};

type Of = Pick<Build, 'repositories'> & {
  ref: string;
  branch: { isDefault: boolean; endedAt: string | null } | undefined;
};

async function judged(
  { connections, table, caller, query }: Pick<Asked, 'connections' | 'table' | 'caller' | 'query'>,
  of: Of,
) {
  const { buildId: id, tools = '', reports = 0, waitSeconds, ...asked } = query;
  const gate = await readyGate({ table, caller }, Gate.parse(asked));
  const build: Build = {
    id,
    repositories: of.repositories,
    refs: of.branch?.isDefault ? [of.ref, ''] : [of.ref],
    hasEnded: (of.branch?.endedAt ?? null) !== null,
    tools: tools
      .split(',')
      .map((tool) => tool.trim())
      .filter(Boolean),
    reports,
  };
  return judgeBuild({ connections, table }, build, { gate, waitSeconds });
}
