import type { Asset } from '#shared/assets/asset/asset.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { agents, type LinkedAgent } from '#shared/scanning/agents/agent.ts';

/** The agent that reports on an asset; undefined where there is none, or where it reports on another one by now. */
export async function agentOn(table: Table, { id, agentId }: Asset): Promise<LinkedAgent | undefined> {
  const agent = agentId == null ? undefined : await table.find(agents, agentId, true);
  return agent?.assetId === id ? agent : undefined;
}

/** Records the asset of an agent, in the transaction that moves the agent. */
export function moveAgent({ table, batch }: { table: Table; batch: Batch }, agent: LinkedAgent, assetId: string): void {
  batch.update(agents, agent, table.changed<LinkedAgent, never>(agent, { assetId }));
}
