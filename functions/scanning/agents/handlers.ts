import { assets } from '#shared/assets/asset/asset.ts';
import { assetsOfSystem } from '#shared/assets/asset/assets-of-system.ts';
import { readOsTally, spelledOs, writtenOs } from '#shared/assets/asset/operating-system.ts';
import { AGENT, readPart } from '#shared/assets/inventory/part.ts';
import { listed, withLists } from '#shared/platform/http/figures.ts';
import { pageOfArray, showEach, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { statusCounts } from '#shared/platform/http/value-counts.ts';
import type { TallyCount } from '#shared/platform/table/counters.ts';
import { where } from '#shared/platform/table/match.ts';
import { agents, LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { MACHINE_STATUSES } from '#shared/scanning/machines/machine.ts';
import {
  deleteMachine,
  listMachines,
  showMachine,
  showMachines,
  updateMachine,
} from '#shared/scanning/machines/machines.ts';
import { machineSeenBy } from '#shared/scanning/machines/seen-by.ts';
import { releaseAsset } from './host-asset.ts';
import { takeReport } from './report.ts';
import { readResources } from './resources.ts';
import { AGENTS, type agentRoutes } from './routes.ts';

/** The operating systems in use, the most frequent first. */
const bySystem = (tallies: TallyCount[]) =>
  tallies
    .map(({ value, counts }) => ({ system: readOsTally(value), count: counts.n ?? 0 }))
    .sort((a, b) => b.count - a.count);

export const agentHandlers: Handlers<typeof agentRoutes> = {
  reportAgent: ({ connections, table, caller, body }) => takeReport({ connections, table, agentId: caller.id }, body),
  listOperatingSystems: async ({ table }) =>
    bySystem(await table.tallies(assets, 'os')).map(({ system, count }) => assetsOfSystem(system, count)),
  listAgents: ({ table, caller, query: { status, os, ...range } }) =>
    showEach(listMachines(agentMachines, table, { ...range, ...where({ status, os: os && spelledOs(os) }) }), (agent) =>
      machineSeenBy(caller, agent),
    ),
  searchAgents: ({ table, caller, query }) =>
    showPage(table.list(agents, query), async (found) =>
      (await showMachines(agentMachines, table, found)).map((agent) => machineSeenBy(caller, agent)),
    ),
  countAgentsByStatus: async ({ table }) =>
    statusCounts(MACHINE_STATUSES, await table.facets(agents), (status) => listed(AGENTS, { status: status ?? '' })),
  listAgentOperatingSystems: async ({ table }) =>
    bySystem(await table.tallies(agents, 'os')).map(({ system, count }) =>
      withLists({ ...system, agents: count }, { agents: listed(AGENTS, { os: writtenOs(system) }) }),
    ),
  async getAgentResources({ table, params, query }) {
    const { id } = await table.get(agents, params.id);
    return readResources(table, id, query);
  },
  async listAgentSoftware({ connections, table, params, query }) {
    const { assetId } = await table.get(agents, params.id);
    const place = { organizationId: table.organizationId, assetId: assetId ?? '', source: AGENT };
    return pageOfArray(assetId ? ((await readPart(connections.bucket, place)).software ?? []) : [], query);
  },
  getAgent: async ({ table, caller, params }) =>
    machineSeenBy(caller, await showMachine(agentMachines, table, params.id)),
  updateAgent: ({ table, params: { id }, body, ifMatch }) =>
    updateMachine(agentMachines, table, { id, record: LinkedAgent, patch: body, ifMatch }),
  deleteAgent: ({ table, params }) =>
    deleteMachine(agentMachines, table, {
      id: params.id,
      also: (batch, agent) => releaseAsset(table, batch, agent),
    }),
};
