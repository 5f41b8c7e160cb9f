import { getRows } from '#shared/platform/table/io/read.ts';
import { keysOf } from '#shared/platform/table/layout/keys.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { type Asset, type AssetIdentity, assetKey, assets } from './asset.ts';

/** A stored asset; with `asset` only where it has several names. */
type KnownAsset = { id: string; asset?: Asset };

/** The assets of identities, by `assetKey`; undefined for an unknown identity. */
export type KnownAssets = Map<string, KnownAsset | undefined>;

/** Reads the assets of these keys: half a unit each, and as much again for an asset with several names. */
export async function readAssets(table: Table, wanted: readonly string[], consistent: boolean): Promise<KnownAssets> {
  const keys = keysOf(table.tenant, assets);
  const places = new Map(wanted.map((key) => [keys.unique('identity', key).pk, key]));
  const rows = await getRows(
    table.dynamo,
    [...places.values()].map((key) => keys.unique('identity', key)),
    consistent,
  );
  const ids = rows.flatMap(({ id, several }) => (several ? String(id) : []));
  const named = new Map((await table.findMany(assets, ids, consistent)).map((asset) => [asset.id, asset]));
  const known: KnownAssets = new Map(wanted.map((key) => [key, undefined]));
  for (const { pk, id } of rows) {
    const asset = named.get(String(id));
    known.set(places.get(pk) ?? '', { id: String(id), ...(asset && { asset }) });
  }
  return known;
}

/** Adds the assets of keys that were not read before; with `again` also of keys that were unknown then. */
export async function learnKnownAssets(
  table: Table,
  known: KnownAssets,
  keys: readonly string[],
  again = false,
): Promise<void> {
  const unread = [...new Set(keys)].filter((key) => !(again ? known.get(key) : known.has(key)));
  for (const [key, one] of await readAssets(table, unread, again)) known.set(key, one);
}

/** The identity by which reports recognize an asset's findings, and its other names, under which findings may exist. */
export type NamedAsset = { identity: AssetIdentity; aliases: readonly AssetIdentity[] };

/** An asset as it is named where it is known by now. */
export function namedAsset(known: KnownAssets, reported: AssetIdentity): NamedAsset {
  const { asset } = known.get(assetKey(reported)) ?? {};
  if (!asset) return { identity: reported, aliases: [] };
  const { type, value, zone, aliases = [] } = asset;
  return { identity: { type, value, zone }, aliases };
}
