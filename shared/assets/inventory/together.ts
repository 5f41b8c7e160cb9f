import type { Bucket } from '#shared/platform/runtime/bucket.ts';
import { fuller, MAX_SERVICES, portOf, softwareKey } from '#shared/reports/readers/inventories.ts';
import type { OperatingSystem, Service, Software } from '#shared/reports/report/report.ts';
import { type Asset, type InventorySource, MAX_PRODUCTS, type ProductName } from '../asset/asset.ts';
import { AGENT, type Part, readPart } from './part.ts';

/** The services of several sources by port; of a port that several name, the fullest description. */
export function servicesTogether(lists: readonly (readonly Service[])[]): Service[] {
  const byPort = new Map<string, Service>();
  for (const service of lists.flat()) {
    const known = byPort.get(portOf(service));
    byPort.set(portOf(service), known ? fuller(known, service) : service);
  }
  return [...byPort.values()]
    .sort((a, b) => a.port - b.port || (a.protocol < b.protocol ? -1 : 1))
    .slice(0, MAX_SERVICES);
}

/** The software of several sources by name, each once. */
export function softwareTogether(lists: readonly (readonly Software[])[]): Software[] {
  const known = new Map<string, Software>();
  for (const entry of lists.flat()) {
    const key = softwareKey(entry);
    known.set(key, fuller(known.get(key) ?? entry, entry));
  }
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}

/** The merged parts of a source for one asset that has had several names. */
export function partTogether(parts: readonly Part[]): Part {
  if (parts.length < 2) return parts[0] ?? {};
  const [services, software] = [parts.flatMap((one) => one.services ?? []), parts.flatMap((one) => one.software ?? [])];
  return {
    ...(parts.some((one) => one.services) && { services: servicesTogether([services]) }),
    ...(parts.some((one) => one.software) && { software: softwareTogether([software]) }),
  };
}

/**
 * The products of the asset's services and programs. A package with a package URL is listed as software; if it has a
 * problem, findings name it.
 */
export function productsOf(services: readonly Service[], software: readonly Software[]): ProductName[] {
  const running = services.flatMap(({ product, version, cpe }) =>
    product === null ? [] : [{ vendor: null, product, version, cpe }],
  );
  const programs = software
    .filter(({ purl }) => !purl)
    .map(({ vendor = null, name, version, cpe = null }) => ({ vendor, product: name, version: version || null, cpe }));
  const byText = new Map([...running, ...programs].map((one) => [JSON.stringify(one), one]));
  return [...byText.values()].slice(0, MAX_PRODUCTS);
}

/** An agent knows its host's system; scanners guess. */
export function osTogether(sources: readonly InventorySource[]): OperatingSystem | undefined {
  const agent = sources.find(({ source, os }) => source === AGENT && os !== null);
  const guessed = sources.flatMap(({ os }) => os ?? []);
  return agent?.os ?? guessed.reduce<OperatingSystem | undefined>((a, b) => (a ? fuller(a, b) : b), undefined);
}

type Owned = Pick<Asset, 'id' | 'inventory' | 'software'>;

/** The sources of an asset. Before release 1.8 an asset did not name its agent's list. */
export function sourcesOf({ inventory, software }: Pick<Asset, 'inventory' | 'software'>): InventorySource[] {
  if (inventory || !software) return inventory ?? [];
  const agent = { source: AGENT, changedAt: software.changedAt, hash: '', services: null, os: null };
  return [{ ...agent, software: software.count }];
}

export function readParts(
  bucket: Bucket,
  organizationId: string,
  asset: Owned,
): Promise<{ source: string; assetId: string; part: Part }[]> {
  return Promise.all(
    sourcesOf(asset).map(async ({ source, assetId = asset.id }) => ({
      source,
      assetId,
      part: await readPart(bucket, { organizationId, assetId, source }),
    })),
  );
}

/** The software on an asset from all sources. */
export async function readSoftware(bucket: Bucket, organizationId: string, asset: Owned): Promise<Software[]> {
  const parts = await readParts(bucket, organizationId, asset);
  return softwareTogether(parts.map(({ part }) => part.software ?? []));
}
