import { isDeepStrictEqual } from 'node:util';
import {
  type Asset,
  type AssetFields,
  type AssetIdentity,
  assetFields,
  MAX_TOOLS,
  seenAt,
  toolsTogether,
} from '#shared/assets/asset/asset.ts';
import { AssetIdentifiers, MAX_IDENTIFIERS } from '#shared/assets/asset/asset-facts.ts';
import { MAX_LINKS } from '#shared/assets/asset/asset-link.ts';
import type { AssetLook } from '#shared/assets/controls/asset-look.ts';
import { distinct } from '#shared/platform/runtime/texts.ts';
import { type FieldsWhere, fieldsWhere } from '#shared/platform/table/field-table.ts';

const MAX_TAGS = 50;

/** All names of an asset, its own first. */
export const namesOf = ({ type, value, zone, aliases = [] }: Asset): AssetIdentity[] => [
  { type, value, zone },
  ...aliases,
];

type Union = FieldsWhere<AssetFields, 'merge', 'union'>;

/** The rules for fields that merge the values of both assets. */
const UNIONS: { [K in Union]: (into: Asset, asset: Asset) => Asset[K] | undefined } = {
  aliases: (into, asset) => [...(into.aliases ?? []), ...namesOf(asset)],
  tags: (into, asset) => distinct([...into.tags, ...asset.tags]).slice(0, MAX_TAGS),
  links: (into, asset) => joined(into.links, asset.links),
  exclusions: (into, asset) => joined(into.exclusions, asset.exclusions),
  identifiers: identifiersOfBoth,
  firstSeenAt: (into, asset) => (into.firstSeenAt < asset.firstSeenAt ? into.firstSeenAt : asset.firstSeenAt),
  lastSeenAt: (into, asset) => (seenAt(into) > seenAt(asset) ? seenAt(into) : seenAt(asset)),
  sources: (into, asset) => toolsTogether(into.sources ?? [], asset.sources ?? []),
  looks: (into, asset) => (into.looks || asset.looks) && looksOfBoth(into.looks, asset.looks),
};

/** The merged values for the asset that stays, by `assetFields`. The inventory merges elsewhere. */
export function unionOf(asset: Asset, into: Asset): Partial<Asset> {
  const known = fieldsWhere(assetFields, 'merge', 'known').map((name) => [name, into[name] ?? asset[name]]);
  const unions = fieldsWhere(assetFields, 'merge', 'union').map((name) => [name, UNIONS[name](into, asset)]);
  return Object.fromEntries([...known, ...unions].filter(([, value]) => value !== undefined));
}

const both = <T>(some: readonly T[], more: readonly T[], most: number): T[] =>
  [...new Set([...some, ...more])].slice(0, most);

/** Of two looks of one tool, the newer one. */
function looksOfBoth(own: readonly AssetLook[] = [], other: readonly AssetLook[] = []): AssetLook[] {
  const newestFirst = [...own, ...other].toSorted((a, b) => (a.day < b.day ? 1 : -1));
  const known = new Set<string>();
  return newestFirst.filter(({ tool }) => !known.has(tool) && known.add(tool)).slice(0, MAX_TOOLS);
}

/** The links or exclusions of both assets; of two for one application, the surviving asset's. */
function joined<T extends { applicationId: string }>(
  own: readonly T[] = [],
  other: readonly T[] = [],
): T[] | undefined {
  const known = new Set(own.map(({ applicationId }) => applicationId));
  const all = [...own, ...other.filter(({ applicationId }) => !known.has(applicationId))];
  return all.length > 0 ? all.slice(0, MAX_LINKS) : undefined;
}

/** Names and addresses are valid only within their zone, so identifiers from another zone are left out. */
function identifiersOfBoth(into: Asset, asset: Asset): AssetIdentifiers | undefined {
  if (!into.identifiers && !asset.identifiers) return undefined;
  const [own, other] = [into, asset].map(({ identifiers = {} }) => AssetIdentifiers.parse(identifiers));
  if (!own || !other) throw new Error('two assets have two lists of identifiers');
  const isSameZone = asset.zone === into.zone;
  const all = (name: ListName): string[] => both(own[name], other[name], MAX_IDENTIFIERS);
  return {
    ips: isSameZone ? all('ips') : own.ips,
    macs: all('macs'),
    hostnames: isSameZone ? all('hostnames') : own.hostnames,
    fqdns: isSameZone ? all('fqdns') : own.fqdns,
    machineIds: all('machineIds'),
    cloudResourceId: own.cloudResourceId ?? other.cloudResourceId,
    agentId: own.agentId ?? other.agentId,
    serialNumber: own.serialNumber ?? other.serialNumber,
    imageDigest: own.imageDigest ?? other.imageDigest,
  };
}

type ListName = 'ips' | 'macs' | 'hostnames' | 'fqdns' | 'machineIds';

type Change = { from: unknown; to: unknown };

/** A value without a change: lists lose the entries that came with it, other values return if nobody changed them since. */
export function withoutChange(now: unknown, { from, to }: Change): unknown {
  if (isDeepStrictEqual(now ?? null, to)) return from;
  if (!Array.isArray(now) || !Array.isArray(to)) return now;
  const before: readonly unknown[] = Array.isArray(from) ? from : [];
  const isIn = (list: readonly unknown[], one: unknown) => list.some((other) => isDeepStrictEqual(one, other));
  return now.filter((one) => isIn(before, one) || !isIn(to, one));
}

/** The identifiers of an asset without those of an asset that was merged into it. */
export function identifiersWithout(now: unknown, { from, to }: Change): unknown {
  if (isDeepStrictEqual(now ?? null, to)) return from;
  const [known, before, after] = [now, from, to].map((one) => AssetIdentifiers.parse(one ?? {}));
  return Object.fromEntries(
    Object.entries(known ?? {}).map(([name, value]) => [
      name,
      withoutChange(value, { from: Reflect.get(before ?? {}, name), to: Reflect.get(after ?? {}, name) }),
    ]),
  );
}
