import { type AssetIdentity, assetKey, assets } from '#shared/assets/asset/asset.ts';
import { AssetIdentifiers } from '#shared/assets/asset/asset-facts.ts';
import { traitKeys } from '#shared/assets/asset/asset-traits.ts';
import { type KnownAssets, readAssets } from '#shared/assets/asset/known-assets.ts';
import { checkTarget } from '#shared/assets/targets/canonical.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { AlertEntity } from './alert.ts';

/** The types of asset that an entity may name, the likeliest first. */
const TYPES: Partial<Record<AlertEntity['type'], readonly AssetType[]>> = {
  host: ['host', 'edr_device'],
  ip: ['host'],
  domain: ['domain', 'host'],
  url: ['url'],
  cloud_resource: ['cloud_resource'],
};

/** The types of asset that a target or an entity may name. */
export const assetTypesOf = (type: string): readonly AssetType[] => Reflect.get(TYPES, type) ?? [];

type Place = { table: Table; zone: string | null };

/** The assets that entities name, by the key of the entity; null for an entity without an asset. */
export type ResolvedEntities = Map<string, string | null>;

export const entityKey = ({ type, value }: Pick<AlertEntity, 'type' | 'value'>): string => `${type} ${value}`;

/** The same entities with their known assets. */
export async function resolveEntities(place: Place, entities: readonly AlertEntity[]): Promise<AlertEntity[]> {
  const resolved: ResolvedEntities = new Map();
  await learnEntities(place, entities, resolved);
  return withAssets(entities, resolved);
}

export const withAssets = (entities: readonly AlertEntity[], resolved: ResolvedEntities): AlertEntity[] =>
  entities.map((one) => ({ ...one, assetId: one.assetId ?? resolved.get(entityKey(one)) ?? null }));

/**
 * Adds to `resolved` the known assets that these entities name, in this zone or reachable under their name from everywhere. An
 * entity that it has already is not looked up again.
 */
export async function learnEntities(
  place: Place,
  entities: readonly AlertEntity[],
  resolved: ResolvedEntities,
): Promise<void> {
  const open = new Map(
    entities
      .filter((one) => one.assetId === null && TYPES[one.type] && !resolved.has(entityKey(one)))
      .map((one) => [entityKey(one), identitiesOf(place, one)]),
  );
  if (open.size === 0) return;
  const known = await readAssets(place.table, [...open.values()].flat().map(assetKey), false);
  const isSeen = await seenAmong(place.table, known);
  await Promise.all(
    [...open].map(async ([key, named]) => {
      const byName = named.flatMap((identity) => known.get(assetKey(identity))?.id ?? []).find(isSeen);
      resolved.set(key, byName ?? (await byIdentifier(place.table, named)));
    }),
  );
}

/** Rows of names are of all assets: a caller with a part names none outside of it. */
async function seenAmong(table: Table, known: KnownAssets): Promise<(id: string) => boolean> {
  if (!table.part) return () => true;
  const ids = [...known.values()].flatMap((one) => one?.id ?? []);
  const seen = new Set((await table.findMany(assets, ids, true)).map(({ id }) => id));
  return (id) => seen.has(id);
}

function identitiesOf({ zone }: Place, { type, value }: AlertEntity): AssetIdentity[] {
  const zones = zone === null ? [null] : [zone, null];
  return (TYPES[type] ?? []).flatMap((as) => zones.map((one) => ({ type: as, value: spelled(as, value), zone: one })));
}

/** The value in the assets' spelling. A value without such a spelling names no asset. */
function spelled(type: AssetType, value: string): string {
  if (type !== 'host' && type !== 'domain' && type !== 'url') return value;
  const checked = checkTarget({ type, value });
  return 'value' in checked ? checked.value : value;
}

/** An address or a full name means itself; a cloud knows a resource by its id. */
const keysOf = (one: AssetIdentity): string[] =>
  traitKeys(
    one.type === 'cloud_resource'
      ? { ...one, identifiers: AssetIdentifiers.parse({ cloudResourceId: one.value }) }
      : one,
  );

/** The asset with one of these addresses, names or ids, if only one asset has them. */
async function byIdentifier(table: Table, named: readonly AssetIdentity[]): Promise<string | null> {
  const keys = [...new Set(named.flatMap(keysOf))];
  if (keys.length === 0) return null;
  const { data } = await table.list(assets, {
    paginateFrom: 0,
    paginateSize: 2,
    where: { identifier: keys },
  });
  const [found, other] = data.filter(({ retiredAt }) => !retiredAt);
  return found && !other ? found.id : null;
}
