import { type Asset, type AssetIdentity, assetKey, assetKeys, assets } from '#shared/assets/asset/asset.ts';
import { sightingChanges } from '#shared/assets/asset/sighting.ts';
import { AGENT } from '#shared/assets/inventory/part.ts';
import { newReturnTask } from '#shared/exposure/asset-actions/retire.ts';
import { outboxWrites } from '#shared/platform/jobs/outbox.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import { getRow } from '#shared/platform/table/io/read.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { LinkedAgent } from '#shared/scanning/agents/agent.ts';
import { agentMachines } from '#shared/scanning/agents/presence.ts';
import { isSilent } from '#shared/scanning/machines/presence.ts';
import { differing } from './differing.ts';

/** The asset of an agent's host: a stored one, or the id for a new one. */
type HostAsset = { id: string; identity: AssetIdentity; current?: Asset };

type Host = Pick<LinkedAgent, 'id' | 'name' | 'hostname' | 'zone' | 'assetId'>;

/**
 * Finds the host's asset by its name, as scans do. If another online agent has the same name in the same zone (a cloned
 * machine, a `localhost`), this agent gets an asset of its own, and the other agent's asset stays unchanged.
 */
export async function findHostAsset(table: Table, agent: Host): Promise<HostAsset> {
  const [own, apart] = identitiesOf(agent);
  const held = agent.assetId === null ? undefined : await table.find(assets, agent.assetId, true);
  for (const identity of [own, apart])
    if (held?.agentId === agent.id && assetKeys(held).includes(assetKey(identity)))
      return { id: held.id, identity, current: held };
  const current = await findAsset(table, own);
  if (!current) return newHostAsset(table, own);
  if (await isFree(table, current, agent.id)) return { id: current.id, identity: own, current };
  const other = await findAsset(table, apart);
  return other ? { id: other.id, identity: apart, current: other } : newHostAsset(table, apart);
}

function identitiesOf({ id, name, hostname, zone }: Host): [AssetIdentity, AssetIdentity] {
  const host = (hostname || name).trim().replace(/\.$/, '').toLowerCase();
  const identity = (value: string) => ({ type: 'host', value, zone }) as const;
  return [identity(host), identity(`${host}#${id.slice(-12)}`)];
}

const newHostAsset = async (table: Table, identity: AssetIdentity): Promise<HostAsset> => {
  const [id = ''] = await table.reserve(assets, 1);
  return { id, identity };
};

async function findAsset(table: Table, identity: AssetIdentity): Promise<Asset | undefined> {
  const row = await getRow(table.dynamo, keysOf(table.tenant, assets).unique('identity', assetKey(identity)), true);
  return row && table.find(assets, String(row.id), true);
}

async function isFree(table: Table, { agentId }: Asset, id: string): Promise<boolean> {
  if (agentId == null || agentId === id) return true;
  const holder = await table.rows(agentMachines.rows).find({ machineId: agentId });
  return !holder || isSilent(holder);
}

/** The fields of the asset that its agent reports. */
type HostFacts = Pick<Asset, 'os' | 'agentId' | 'identifiers' | 'software' | 'services' | 'products' | 'inventory'>;

/** Creates the asset, or updates the fields that changed. */
export function writeAsset(table: Table, batch: Batch, { host, facts }: { host: HostAsset; facts: HostFacts }): void {
  const { id, identity, current } = host;
  const at = now();
  if (current?.retiredAt) {
    const { task, send } = newReturnTask(table, id);
    batch.write(...outboxWrites(table, task, send));
  }
  if (current) {
    const changes = differing(current, { ...facts, ...sightingChanges(current, { at, tools: [AGENT] }) });
    if (changes) batch.update(assets, current, table.changed(current, changes));
    return;
  }
  const draft = { ...identity, name: identity.value.slice(0, 300), criticality: 'medium' as const };
  const more = { internetExposed: null, tags: [], firstSeenAt: at, lastSeenAt: at, sources: [AGENT], id };
  batch.create(assets, table.stamp<Asset>({ ...draft, ...facts, ...more }));
}

/** The asset stays when its agent is removed; another agent may take it over. */
export async function releaseAsset(
  table: Table,
  batch: Batch,
  agent: Pick<LinkedAgent, 'id' | 'assetId'>,
): Promise<void> {
  const asset = agent.assetId === null ? undefined : await table.find(assets, agent.assetId, true);
  if (asset?.agentId === agent.id) batch.update(assets, asset, table.changed(asset, { agentId: null }));
}
