import { createHash } from 'node:crypto';
import { type AgentReport, agents, type LinkedAgent } from '#shared/entities/agent.ts';
import { operatingSystem } from '#shared/entities/operating-system.ts';
import { now } from '#shared/runtime/clock.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError, invalid } from '#shared/runtime/errors.ts';
import type { Batch } from '#shared/table/batch.ts';
import type { Table } from '#shared/table/table.ts';
import { differing } from './differing.ts';
import { type Inventory, putInventory } from './inventory.ts';
import { findPlace, releaseAsset, writeAsset } from './place.ts';

export const removed = (): ApiError => new ApiError('unauthorized', 'This agent was removed. Link it again.');

/** A digest of what a report says of the agent and its host; undefined when it says nothing. */
export function digestOf({ version, hostname, os, addresses, macs, cloud }: AgentReport): string | undefined {
  const says = { version, hostname, os, addresses, macs, cloud };
  if (Object.values(says).every((value) => value === undefined)) return undefined;
  return createHash('sha256').update(JSON.stringify(says)).digest('base64url').slice(0, 22);
}

/** What becomes of an agent's record by what it reports; undefined fields stay. */
function saysOf(agent: LinkedAgent, { version, hostname, os, ...host }: AgentReport): Partial<LinkedAgent> {
  const { addresses, macs, cloud } = host;
  const said = { softwareVersion: version ?? undefined, hostname: hostname ?? undefined, addresses, macs, cloud };
  if (!os) return said;
  const family = os.family ?? agent.os?.family;
  if (!family) throw invalid('os.family', 'is required with os');
  return { ...said, os: { ...os, family } };
}

type News = { agentId: string; body: AgentReport; inventory: Inventory | undefined };

/**
 * The agent's record and its host's asset learn what is new, in the batch of the report. The inventory is put before:
 * if the batch fails, the report is tried again and says the same.
 */
export async function describe({ bucket }: Connections, table: Table, { news, batch }: { news: News; batch: Batch }) {
  const { agentId, body, inventory } = news;
  const agent = await table.find(agents, agentId, true);
  if (!agent) throw removed();
  const says = saysOf(agent, body);
  const os = says.os ?? agent.os;
  const place = await findPlace(table, { ...agent, ...says, hostname: says.hostname ?? agent.hostname });
  if (place.id !== agent.assetId) await releaseAsset(table, batch, agent);
  if (inventory) await putInventory(bucket, { organizationId: table.organizationId, assetId: place.id }, inventory);
  const software = inventory && { count: inventory.count, changedAt: now() };
  const told = { agentId, os: os && operatingSystem(os), ...(software && { software }) };
  writeAsset(table, batch, { place, told });
  const changes = differing(agent, { ...says, assetId: place.id, status: 'online' });
  if (!changes) return { agent, moved: false };
  const next = table.changed(agent, { ...changes, lastSeenAt: now() });
  return { agent: batch.update(agents, agent, next), moved: place.id !== agent.assetId };
}
