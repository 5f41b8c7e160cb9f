import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { keepAssetTimer } from '#shared/assets/asset/asset-timer.ts';
import type { AssetCreate } from '#shared/assets/asset/view.ts';
import { targetOf } from '#shared/assets/targets/named.ts';
import { readZones } from '#shared/assets/targets/read-zones.ts';
import { TARGET_TYPES } from '#shared/assets/targets/scan-target.ts';
import { MANUAL } from '#shared/findings/finding/manual.ts';
import { personOf } from '#shared/findings/triage/people.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Makes an asset by hand. @throws validation_failed, conflict where one has this name */
export async function createAsset(table: Table, caller: Caller, body: AssetCreate): Promise<Asset> {
  const named = identityOf({ ...body, zone: body.zone ?? null });
  await assertNew(table, named);
  const identity = body.zone === undefined ? await withZone(table, named) : named;
  if (identity.zone !== named.zone) await assertNew(table, identity);
  if (body.ownerId) await personOf(table, caller, { path: 'ownerId', id: body.ownerId });
  await keepAssetTimer(table);
  const at = now();
  const { name = identity.value.slice(0, 300) } = body;
  return table.create(assets, { ...body, ...identity, name, sources: [MANUAL], firstSeenAt: at, lastSeenAt: at });
}

/** Adds the zone of an address, as imports find it. */
async function withZone(table: Table, identity: AssetIdentity): Promise<AssetIdentity> {
  if (identity.type !== 'host' && identity.type !== 'url') return identity;
  const placing = await readZones(table);
  return { ...identity, zone: placing?.(identity.value) ?? null };
}

async function assertNew(table: Table, identity: AssetIdentity): Promise<void> {
  const known = await table.findUnique(assets, { field: 'identity', value: assetKey(identity) }, true);
  if (known) throw conflict(`The asset ${known.id} already has this name: change that asset.`);
}

/** The name as reports and imports spell it. */
function identityOf({ type, value, zone }: AssetIdentity): AssetIdentity {
  const kind = TARGET_TYPES.find((one) => one === type);
  return { type, zone, value: kind ? targetOf({ type: kind, value }, 'value').value : value };
}
