import { agents, type LinkedAgent } from '../../entities/agent.ts';
import type { Asset } from '../../entities/asset.ts';
import type { Batch } from '../../table/batch.ts';
import type { Table } from '../../table/table.ts';

/** The agent that reports on an asset; undefined where there is none, or where it reports on another one by now. */
export async function agentOn(table: Table, { id, agentId }: Asset): Promise<LinkedAgent | undefined> {
  const agent = agentId == null ? undefined : await table.find(agents, agentId, true);
  return agent?.assetId === id ? agent : undefined;
}

/** Says of which asset an agent tells, in the transaction that moves it. */
export function moveAgent({ table, batch }: { table: Table; batch: Batch }, agent: LinkedAgent, assetId: string): void {
  batch.update(agents, agent, table.changed<LinkedAgent, never>(agent, { assetId }));
}
