import { isIP } from 'node:net';
import {
  LIMITS,
  type OperatingSystem,
  type ReportEvent,
  type ReportFacts,
  type ReportIdentifiers,
  type ReportInventory,
  type Service,
  type Software,
} from '../report/report.ts';
import { bounded, oneLine } from './text.ts';

/** Most services and software that one source reports for an asset. */
export const MAX_SERVICES = 500;
const MAX_SOFTWARE = 20_000;
/** Names or addresses of one kind that a report names for an asset. */
const MAX_IDENTIFIERS = 20;
/** The limit for a whole report; each entry takes about 200 bytes of memory. */
const MAX_ENTRIES = 400_000;

type Draft<T> = { [K in keyof T]?: T[K] | null | undefined };
/** A service or a package from a reader. */
export type ServiceDraft = Draft<Service> & Pick<Service, 'port' | 'protocol'>;
export type SoftwareDraft = Draft<Software> & Pick<Software, 'name'>;
type InventoryAsset = ReportInventory['asset'];
export type InventoryDraft = {
  asset: InventoryAsset;
  services?: readonly ServiceDraft[];
  software?: readonly SoftwareDraft[];
  os?: OperatingSystem | undefined;
  facts?: ReportFacts | undefined;
  identifiers?: ReportIdentifiers | undefined;
};

type Collected = {
  asset: InventoryAsset;
  facts?: ReportFacts;
  identifiers?: ReportIdentifiers;
  services?: Map<string, Service>;
  software?: Map<string, Software>;
  os?: OperatingSystem;
};

/** The inventories of a report by asset, whose parts may be in many places of the report. */
export class Inventories {
  readonly #of = new Map<string, Collected>();
  #left = MAX_ENTRIES;

  add({ asset, services, software, os, facts, identifiers }: InventoryDraft): void {
    const key = keyOf(asset);
    const known: Collected = this.#of.get(key) ?? { asset: asset && boundedAsset(asset) };
    this.#of.set(key, known);
    if (os) known.os ??= os;
    if (facts) known.facts ??= facts;
    if (identifiers) known.identifiers = allOf(known.identifiers, identifiers);
    if (services) known.services ??= new Map();
    for (const draft of services ?? []) this.#put(known.services, MAX_SERVICES, [portOf(draft), serviceOf(draft)]);
    if (software) known.software ??= new Map();
    for (const draft of software ?? []) {
      const entry = softwareOf(draft);
      if (entry.name) this.#put(known.software, MAX_SOFTWARE, [softwareKey(entry), entry]);
    }
  }

  /** Whether the report has more about an asset than its names. */
  get tell(): boolean {
    return [...this.#of.values()].some(({ services, software, os, facts }) => services ?? software ?? os ?? facts);
  }

  has(asset: InventoryAsset): boolean {
    return this.#of.has(keyOf(asset));
  }

  *all(): Generator<ReportInventory> {
    for (const { asset, services, software, os, facts, identifiers } of this.#of.values())
      yield {
        asset,
        ...(services && { services: [...services.values()] }),
        ...(software && { software: [...software.values()] }),
        ...(os && { os }),
        ...(facts && { facts }),
        ...(identifiers && { identifiers }),
      };
  }

  *events(): Generator<ReportEvent> {
    for (const inventory of this.all()) yield { kind: 'inventory', inventory };
  }

  #put<T extends object>(entries: Map<string, T> | undefined, most: number, [key, entry]: [string, T]): void {
    const known = entries?.get(key);
    if (known) entries?.set(key, fuller(known, entry));
    else if (entries && entries.size < most && this.#left > 0) {
      this.#left -= 1;
      entries.set(key, entry);
    }
  }
}

/** The identifiers of two places of a report; where an asset has one, the first. */
function allOf(known: ReportIdentifiers = {}, more: ReportIdentifiers): ReportIdentifiers {
  const lists = (['ips', 'macs', 'hostnames', 'fqdns', 'machineIds'] as const).flatMap((name) => {
    const all = [...new Set([...(known[name] ?? []), ...(more[name] ?? [])])];
    return all.length > 0 ? [[name, all.slice(0, MAX_IDENTIFIERS)]] : [];
  });
  return { ...more, ...known, ...Object.fromEntries(lists) };
}

const keyOf = (asset: InventoryAsset): string => (asset ? `${asset.type} ${asset.value}` : '');
const boundedAsset = ({ type, value }: NonNullable<InventoryAsset>): InventoryAsset => ({
  type,
  value: bounded(value, LIMITS.location),
});

export const portOf = ({ port, protocol }: Pick<Service, 'port' | 'protocol'>): string => `${port}/${protocol}`;

export const softwareKey = ({ name, version, vendor = null, purl = null }: Software): string =>
  JSON.stringify([name, version, vendor, purl]);

/** The more complete of two descriptions; of two equally complete ones always the same, in any order. */
export function fuller<T extends object>(one: T, other: T): T {
  const said = (entry: T) => Object.values(entry).filter((value) => value != null && value !== '').length;
  const more = said(one) - said(other);
  if (more !== 0) return more > 0 ? one : other;
  return JSON.stringify(one) <= JSON.stringify(other) ? one : other;
}

const text = (given: string | null | undefined, most = 300): string | null =>
  bounded(oneLine(given ?? ''), most) || null;

const serviceOf = ({ port, protocol, ...said }: ServiceDraft): Service => ({
  port,
  protocol: bounded(protocol.toLowerCase(), 20),
  service: text(said.service),
  product: text(said.product),
  version: text(said.version),
  cpe: text(said.cpe),
});

const softwareOf = ({ name, version, vendor, purl, cpe }: SoftwareDraft): Software => ({
  name: text(name) ?? '',
  version: text(version) ?? '',
  vendor: text(vendor),
  purl: purl?.startsWith('pkg:') ? text(purl, 1000) : null,
  ...(cpe?.startsWith('cpe:') && { cpe: text(cpe) }),
});

/**
 * The operating system in a tool's own words, such as `Linux 4.15 - 5.8`; undefined for a family outside of the
 * catalogue.
 */
export function osNamed(name: string | undefined, version?: string): OperatingSystem | undefined {
  const family = FAMILIES.find(([, words]) => words.test(name ?? ''))?.[0];
  return family && { family, name: text(name, 100), version: text(version, 100) };
}

const FAMILIES = [
  ['windows', /windows/i],
  ['macos', /\bmac ?os\b|\bos x\b|darwin/i],
  [
    'linux',
    /linux|ubuntu|debian|centos|red ?hat|\brhel\b|fedora|suse|alpine|amazon|rocky|\balma|photon|wolfi|mariner|\bkali\b/i,
  ],
] as const;

/** Vendor, product and version in a CPE, of the old form (`cpe:/a:openbsd:openssh:7.4`) or of version 2.3. */
export function softwareOfCpe(cpe: string): SoftwareDraft | undefined {
  const [, part, vendor, product, version] =
    /^cpe:(?:\/|2\.3:)([aoh]):([^:]+):([^:]+)(?::([^:]*))?/.exec(cpe.trim()) ?? [];
  if (part !== 'a' || !product) return undefined;
  const known = version && version !== '*' && version !== '-' ? version : '';
  return { name: unescaped(product), version: unescaped(known), vendor: unescaped(vendor ?? ''), cpe: cpe.trim() };
}

const unescaped = (part: string): string => part.replace(/\\(.)/g, '$1').replaceAll('_', ' ');

/** Names and addresses of a host, each with its kind of identifier. */
export function namedIdentifiers(names: readonly (string | undefined)[]): ReportIdentifiers {
  const known = [...new Set(names.flatMap((name) => name?.trim().toLowerCase().replace(/\.$/, '') || []))];
  const [ips, others] = [known.filter((name) => isIP(name) !== 0), known.filter((name) => isIP(name) === 0)];
  return {
    ips,
    fqdns: others.filter((name) => name.includes('.')),
    hostnames: others.filter((name) => !name.includes('.')),
  };
}
