import { agentMachines } from '#shared/agents/presence.ts';
import { agents, LinkedAgent } from '#shared/entities/agent.ts';
import { assets } from '#shared/entities/asset.ts';
import { MACHINE_STATUSES } from '#shared/entities/machine.ts';
import { readOsTally } from '#shared/entities/operating-system.ts';
import { pageOfArray, showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { valueCounts } from '#shared/http/value-counts.ts';
import { deleteMachine, listMachines, showMachines, updateMachine } from '#shared/machines/machine.ts';
import type { TallyCount } from '#shared/table/counters.ts';
import { releaseAsset } from './host-asset.ts';
import { readInventory } from './inventory.ts';
import { takeReport } from './report.ts';
import { readResources } from './resources.ts';
import type { agentRoutes } from './routes.ts';

/** The operating systems in use, the most frequent first. */
const bySystem = (tallies: TallyCount[]) =>
  tallies
    .map(({ value, counts }) => ({ system: readOsTally(value), count: counts.n ?? 0 }))
    .sort((a, b) => b.count - a.count);

export const agentHandlers: Handlers<typeof agentRoutes> = {
  reportAgent: ({ connections, table, caller, body }) => takeReport({ connections, table, agentId: caller.id }, body),
  listOperatingSystems: async ({ table }) =>
    bySystem(await table.tallies(assets, 'os')).map(({ system, count }) => ({ ...system, assets: count })),
  listAgents: ({ table, query }) => listMachines(agentMachines, table, query),
  searchAgents: ({ table, query }) =>
    showPage(table.list(agents, query), (found) => showMachines(agentMachines, table, found)),
  countAgentsByStatus: async ({ table }) => valueCounts(MACHINE_STATUSES, await table.facets(agents), 'status'),
  listAgentOperatingSystems: async ({ table }) =>
    bySystem(await table.tallies(agents, 'os')).map(({ system, count }) => ({ ...system, agents: count })),
  async getAgentResources({ table, params, query }) {
    const { id } = await table.get(agents, params.id);
    return readResources(table, id, query);
  },
  async listAgentSoftware({ connections, table, params, query }) {
    const { assetId } = await table.get(agents, params.id);
    const { organizationId } = table;
    return pageOfArray(assetId ? await readInventory(connections.bucket, { organizationId, assetId }) : [], query);
  },
  async getAgent({ table, params }) {
    const agent = await table.get(agents, params.id);
    const [shown = agent] = await showMachines(agentMachines, table, [agent]);
    return shown;
  },
  updateAgent: ({ table, params: { id }, body, ifMatch }) =>
    updateMachine(agentMachines, table, { id, record: LinkedAgent, patch: body, ifMatch }),
  deleteAgent: ({ table, params }) =>
    deleteMachine(agentMachines, table, {
      id: params.id,
      also: (batch, agent) => releaseAsset(table, batch, agent),
    }),
};
