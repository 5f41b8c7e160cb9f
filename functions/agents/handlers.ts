import { agentMachines } from '#shared/agents/presence.ts';
import { agents, LinkedAgent } from '#shared/entities/agent.ts';
import { assets } from '#shared/entities/asset.ts';
import { MACHINE_STATUSES } from '#shared/entities/machine.ts';
import { readOsTally } from '#shared/entities/operating-system.ts';
import { pageOfArray, showEach, showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { valueCounts } from '#shared/http/value-counts.ts';
import { AGENT, readPart } from '#shared/inventory/part.ts';
import { deleteMachine, listMachines, showMachine, showMachines, updateMachine } from '#shared/machines/machine.ts';
import { machineSeenBy } from '#shared/machines/seen-by.ts';
import type { TallyCount } from '#shared/table/counters.ts';
import { releaseAsset } from './host-asset.ts';
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
  listAgents: ({ table, caller, query }) =>
    showEach(listMachines(agentMachines, table, query), (agent) => machineSeenBy(caller, agent)),
  searchAgents: ({ table, caller, query }) =>
    showPage(table.list(agents, query), async (found) =>
      (await showMachines(agentMachines, table, found)).map((agent) => machineSeenBy(caller, agent)),
    ),
  countAgentsByStatus: async ({ table }) => valueCounts(MACHINE_STATUSES, await table.facets(agents), 'status'),
  listAgentOperatingSystems: async ({ table }) =>
    bySystem(await table.tallies(agents, 'os')).map(({ system, count }) => ({ ...system, agents: count })),
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
