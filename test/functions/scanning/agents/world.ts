import { takeReport } from '#functions/scanning/agents/report.ts';
import { type ResourceQuery, readResources } from '#functions/scanning/agents/resources.ts';
import { sweep } from '#functions/workers/sweeper/index.ts';
import { assets } from '#shared/assets/asset/asset.ts';
import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type AgentReport, agents, type LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { fakeConnections } from '../../../support/scanning-world.ts';
import { newOrganization } from '../../../support/store.ts';
import { expectExact } from '../../../support/verify.ts';

/** An organization with agents, driven through the functions that the Lambdas run. */
export function newWorld(dynamo: Dynamo, table = newOrganization(dynamo)) {
  const { connections } = fakeConnections(dynamo);
  const as = (id: string) => openTable(dynamo, table.organizationId, { kind: 'machine', id, name: id });
  return {
    table,
    connections,
    link: (more: Partial<LinkedAgent> = {}) => table.create(agents, newAgent(more)),
    report: (agentId: string, body: AgentReport = {}) => takeReport({ connections, table: as(agentId), agentId }, body),
    resources: (agentId: string, query: Partial<ResourceQuery> = {}) =>
      readResources(table, agentId, { resolution: 'auto', ...query }),
    sweep: () => sweep(connections),
    expectExactCounters: () => expectExact(table, [agents, assets]),
  };
}

const newAgent = (more: Partial<LinkedAgent>) => ({
  name: 'agent',
  zone: null,
  groupIds: [],
  tags: [],
  enabled: true,
  reportIntervalSeconds: 60,
  instanceId: null,
  softwareVersion: null,
  platform: null,
  hostname: null,
  status: 'never_connected' as const,
  lastSeenAt: null,
  os: null,
  machineId: null,
  addresses: [],
  macs: [],
  cloud: null,
  assetId: null,
  ...more,
});
