import type { AssetCreate } from '#shared/assets/view.ts';
import type { Caller } from '#shared/auth/permissions.ts';
import { type Asset, type AssetIdentity, assetKey, assets } from '#shared/entities/asset.ts';
import { TARGET_TYPES } from '#shared/entities/scan-target.ts';
import { keepAssetTimer } from '#shared/findings/asset-timer.ts';
import { MANUAL } from '#shared/findings/manual.ts';
import { personOf } from '#shared/findings/people.ts';
import { now } from '#shared/runtime/clock.ts';
import { conflict } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { targetOf } from '#shared/targets/named.ts';
import { readZones } from '#shared/targets/read-zones.ts';

/** Makes an asset by hand. @throws validation_failed, conflict where one has this name */
export async function createAsset(table: Table, caller: Caller, body: AssetCreate): Promise<Asset> {
  const named = identityOf({ ...body, zone: body.zone ?? null });
  await assertNew(table, named);
  const identity = body.zone === undefined ? await placed(table, named) : named;
  if (identity.zone !== named.zone) await assertNew(table, identity);
  if (body.ownerId) await personOf(table, caller, { path: 'ownerId', id: body.ownerId });
  await keepAssetTimer(table);
  const at = now();
  const { name = identity.value.slice(0, 300) } = body;
  return table.create(assets, { ...body, ...identity, name, sources: [MANUAL], firstSeenAt: at, lastSeenAt: at });
}

/** The place of an address, as imports find it. */
async function placed(table: Table, identity: AssetIdentity): Promise<AssetIdentity> {
  if (identity.type !== 'host' && identity.type !== 'url') return identity;
  const placing = await readZones(table);
  return { ...identity, zone: placing?.(identity.value) ?? null };
}

async function assertNew(table: Table, identity: AssetIdentity): Promise<void> {
  const known = await table.findUnique(assets, { field: 'identity', value: assetKey(identity) }, true);
  if (known) throw conflict(`The asset ${known.id} has this name: change that one.`);
}

/** The name as reports and imports spell it. */
function identityOf({ type, value, zone }: AssetIdentity): AssetIdentity {
  const kind = TARGET_TYPES.find((one) => one === type);
  return { type, zone, value: kind ? targetOf({ type: kind, value }, 'value').value : value };
}
