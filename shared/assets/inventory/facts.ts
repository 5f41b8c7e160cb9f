import { isDeepStrictEqual } from 'node:util';
import { bounded } from '#shared/reports/readers/text.ts';
import type { ReportFacts } from '#shared/reports/report/report.ts';
import type { Asset } from '../asset/asset.ts';
import { AssetIdentifiers, MAX_IDENTIFIERS } from '../asset/asset-facts.ts';

type Described = Pick<Asset, 'identifiers' | 'cloud' | 'internetExposed' | 'name' | 'value'>;

const LISTS = ['ips', 'macs', 'hostnames', 'fqdns', 'machineIds'] as const;
const SINGLE = ['cloudResourceId', 'agentId', 'serialNumber', 'imageDigest'] as const;

/**
 * The changes from the facts of an inventory. Values of people or other tools stay, except for the place in the cloud.
 */
export function factChanges(
  asset: Described,
  { name, identifiers, cloud, internetExposed }: ReportFacts,
): Partial<Asset> {
  const changes: Partial<Asset> = {
    ...(identifiers && { identifiers: together(AssetIdentifiers.parse(asset.identifiers ?? {}), identifiers) }),
    ...(cloud && { cloud: boundedPlace(cloud) }),
    ...(internetExposed !== undefined && asset.internetExposed === null && { internetExposed }),
    // as long as nobody named the asset, its name follows its spelling
    ...(name && asset.value.startsWith(asset.name) && { name: bounded(name, 300) }),
  };
  const changed = Object.entries(changes).filter(
    ([field, value]) => !isDeepStrictEqual(Reflect.get(asset, field), value),
  );
  return Object.fromEntries(changed);
}

const short = (text: string | null | undefined): string | null => (text ? bounded(text, 300) : null);

const boundedPlace = ({ provider, tags, ...place }: NonNullable<ReportFacts['cloud']>): Asset['cloud'] => ({
  provider: bounded(provider, 300),
  accountId: short(place.accountId),
  region: short(place.region),
  resourceId: short(place.resourceId),
  tags,
});

function together(known: AssetIdentifiers, reported: NonNullable<ReportFacts['identifiers']>): AssetIdentifiers {
  const next = { ...known };
  for (const list of LISTS)
    next[list] = [...new Set([...known[list], ...(reported[list] ?? []).flatMap((text) => short(text) ?? [])])]
      .sort()
      .slice(0, MAX_IDENTIFIERS);
  for (const field of SINGLE) next[field] = known[field] ?? short(reported[field]);
  return next;
}
