import { createHash } from 'node:crypto';
import { operatingSystem } from '#shared/assets/asset/operating-system.ts';
import { keepReported } from '#shared/assets/inventory/keep.ts';
import { AGENT, type Part } from '#shared/assets/inventory/part.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type AgentReport, agents, type LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { differing } from './differing.ts';
import { findHostAsset, releaseAsset, writeAsset } from './host-asset.ts';
import { hostIdentifiers } from './host-identifiers.ts';

export const agentRemoved = (): ApiError => new ApiError('unauthorized', 'This agent was removed. Link it again.');

/** A digest of the fields that describe the agent and its host; undefined when the report has no such field. */
export function digestOf({ version, hostname, os, addresses, macs, cloud }: AgentReport): string | undefined {
  const sent = { version, hostname, os, addresses, macs, cloud };
  if (Object.values(sent).every((value) => value === undefined)) return undefined;
  return createHash('sha256').update(JSON.stringify(sent)).digest('base64url').slice(0, 22);
}

/** The fields of an agent's record that a report changes; undefined fields stay. */
function changesOf(agent: LinkedAgent, { version, hostname, os, ...host }: AgentReport): Partial<LinkedAgent> {
  const { addresses, macs, cloud } = host;
  const changes = { softwareVersion: version ?? undefined, hostname: hostname ?? undefined, addresses, macs, cloud };
  if (!os) return changes;
  const family = os.family ?? agent.os?.family;
  if (!family) throw invalid('os.family', 'must be given with os');
  return { ...changes, os: { ...os, family } };
}

/** A report, and the software that it lists, in one form. */
export type News = { agentId: string; body: AgentReport; inventory: Part | undefined };

/**
 * Adds the changes of the agent's record and of its host's asset to the report's batch.
 */
export async function applyNews({ bucket }: Connections, table: Table, { news, batch }: { news: News; batch: Batch }) {
  const { agentId, body, inventory } = news;
  const agent = await table.find(agents, agentId, true);
  if (!agent) throw agentRemoved();
  const reported = changesOf(agent, body);
  const after = { ...agent, ...differing(agent, reported) };
  const { os } = after;
  const host = await findHostAsset(table, after);
  if (host.id !== agent.assetId) await releaseAsset(table, batch, agent);
  const inventoried = { source: AGENT, at: now(), os: os ? operatingSystem(os) : undefined, ...inventory };
  const kept = await keepReported(
    { bucket, organizationId: table.organizationId },
    host.current ?? { id: host.id },
    inventoried,
  );
  const identifiers = hostIdentifiers(host.current?.identifiers, { before: agent, after });
  writeAsset(table, batch, { host, facts: { agentId, identifiers, ...kept } });
  const changes = differing(agent, { ...reported, assetId: host.id, status: 'online' });
  if (!changes) return { agent, moved: false };
  const next = table.changed(agent, { ...changes, lastSeenAt: now() });
  return { agent: batch.update(agents, agent, next), moved: host.id !== agent.assetId };
}
