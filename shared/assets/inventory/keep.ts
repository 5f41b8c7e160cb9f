import { isDeepStrictEqual } from 'node:util';
import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import type { OperatingSystem, ReportFacts, ReportIdentifiers } from '#shared/reports/report/report.ts';
import { type Asset, type InventorySource, MAX_SOURCES } from '../asset/asset.ts';
import { factChanges } from './facts.ts';
import { inOneForm, type Part, partDigest, putPart } from './part.ts';
import {
  osTogether,
  partTogether,
  productsOf,
  readParts,
  servicesTogether,
  softwareTogether,
  sourcesOf,
} from './together.ts';

/** The current inventory from a source about an asset. An absent field keeps the source's former report. */
type ReportedInventory = {
  source: string;
  at: string;
  os?: OperatingSystem | undefined;
  facts?: ReportFacts | undefined;
  identifiers?: ReportIdentifiers | undefined;
} & (
  | Part
  /** Makes the part from the part that the source reported before. */
  | { partOf: (before: Part) => Part }
);

type Owner = { bucket: Bucket; organizationId: string };
type Holder = Pick<Asset, 'id'> & Partial<Asset>;
type Kept = Pick<Asset, 'inventory' | 'software' | 'services' | 'products' | 'os'>;

/**
 * Stores a source's report about an asset, and returns the changes of the asset; undefined when the report has nothing
 * new. Stores the part first: if the write of the asset fails, the next attempt writes the same part again.
 */
export async function keepReported(
  owner: Owner,
  asset: Holder,
  reported: ReportedInventory,
): Promise<Partial<Asset> | undefined> {
  const { bucket, organizationId } = owner;
  const { source, at } = reported;
  const sources = sourcesOf(asset);
  const current = sources.find((one) => one.source === source && !one.assetId);
  const parts = await readParts(bucket, organizationId, asset);
  const mine = partTogether(parts.flatMap((one) => (one.source === source ? one.part : [])));
  const part = inOneForm('partOf' in reported ? reported.partOf(mine) : { ...mine, ...given(reported) });
  const hash = partDigest(part);
  const os = reported.os ?? current?.os ?? null;
  const described = isWhole(asset) ? factChanges(asset, { identifiers: reported.identifiers, ...reported.facts }) : {};
  const isSame = current?.hash === hash && isDeepStrictEqual(current.os, os) && !tellsOfMerged(asset, source);
  const tellsNothing =
    !sources.some((one) => one.source === source) &&
    !os &&
    !reported.facts &&
    !part.services?.length &&
    !part.software?.length;
  if (isSame || tellsNothing) return Object.keys(described).length > 0 ? described : undefined;
  await putPart(bucket, { organizationId, assetId: asset.id, source }, part);
  const entry = { source, changedAt: at, hash, services: countOf(part.services), software: countOf(part.software), os };
  const inventory = newest([...sources.filter((one) => one.source !== source), entry]);
  const others = parts.filter((one) => one.source !== source && inventory.some((kept) => isPartOf(kept, one, asset)));
  const before = parts.map((one) => one.part);
  const kept = changesOf(asset, { inventory, at, before, now: [part, ...others.map((one) => one.part)] });
  return { ...kept, ...described };
}

/** Whether this is a record, not only the id for a new one. */
const isWhole = (asset: Holder): asset is Asset => asset.value !== undefined;

/**
 * Whether the source reported something about an asset that was merged into this one; the source's next report on this
 * asset replaces it.
 */
export async function forgetReported(
  { bucket, organizationId }: Owner,
  asset: Asset,
  { source, at }: Pick<ReportedInventory, 'source' | 'at'>,
): Promise<Partial<Asset> | undefined> {
  const sources = sourcesOf(asset);
  const inventory = sources.filter((one) => one.source !== source);
  if (inventory.length === sources.length) return undefined;
  const parts = await readParts(bucket, organizationId, asset);
  const others = parts.filter((one) => one.source !== source);
  return changesOf(asset, {
    inventory,
    at,
    before: parts.map(({ part }) => part),
    now: others.map(({ part }) => part),
  });
}

const given = ({ services, software }: Part): Part => ({
  ...(services && { services }),
  ...(software && { software }),
});
const isPartOf = (kept: InventorySource, part: { source: string; assetId: string }, { id }: Holder): boolean =>
  kept.source === part.source && (kept.assetId ?? id) === part.assetId;

/** Whether the source reported something about an asset that was merged into this one; its next report on this one replaces that. */
export const tellsOfMerged = ({ inventory = [] }: Pick<Holder, 'inventory'>, source: string): boolean =>
  inventory.some((one) => one.source === source && one.assetId !== undefined);

const countOf = (list: readonly unknown[] | undefined): number | null => list?.length ?? null;

export const newest = (sources: InventorySource[]): InventorySource[] =>
  sources
    .toSorted((a, b) => (a.changedAt > b.changedAt ? -1 : 1))
    .slice(0, MAX_SOURCES)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));

const placeOf = ({ source, assetId = '' }: InventorySource): string => `${source} ${assetId}`;

type Together = { inventory: InventorySource[]; at: string; before: readonly Part[]; now: readonly Part[] };

export function changesOf(asset: Holder, { inventory, at, before, now }: Together): Partial<Kept> {
  const services = servicesTogether(now.map((part) => part.services ?? []));
  const [software, had] = [now, before].map((parts) => softwareTogether(parts.map((part) => part.software ?? [])));
  const products = productsOf(services, software ?? []);
  const os = osTogether(inventory);
  // a part that was stored before its asset could be written differs from nothing that was read
  const isCounted = asset.software?.count === (software?.length ?? 0);
  const tellsSoftware = now.some((part) => part.software) || asset.software;
  return {
    inventory,
    ...(!isDeepStrictEqual(services, asset.services ?? []) && { services }),
    ...(!isDeepStrictEqual(products, asset.products ?? []) && { products }),
    ...(tellsSoftware &&
      !(isCounted && isDeepStrictEqual(software, had)) && {
        software: { count: software?.length ?? 0, changedAt: at },
      }),
    ...(os && !isDeepStrictEqual(os, asset.os) && { os }),
  };
}
