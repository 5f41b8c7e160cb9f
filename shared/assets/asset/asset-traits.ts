import { isIP, isIPv6 } from 'node:net';
import type { AssetType } from '#shared/reports/report/asset-type.ts';
import type { AssetIdentifiers } from './asset-facts.ts';

/** The kinds of identifiers by which two tools may know one machine, or one repository, in the order in which they are trusted. */
export const TRAIT_KINDS = [
  'cloudResourceId',
  'agentId',
  'serialNumber',
  'machineId',
  'mac',
  'fqdn',
  'hostname',
  'ip',
  'codeHost',
  'repository',
] as const;
export type TraitKind = (typeof TRAIT_KINDS)[number];

/** The identifiers of a machine or a repository in one form each, without those that many machines have. */
export type Traits = Record<TraitKind, readonly string[]>;

type Named = { type: AssetType; value: string; zone: string | null };
type Described = Named & { aliases?: readonly Named[] | undefined; identifiers?: AssetIdentifiers | undefined };

const MACHINES: readonly string[] = ['host', 'cloud_resource', 'edr_device'];

/** Only machines and repositories may have different names in several tools; undefined: the name of the asset identifies it. */
export function familyOf({ type }: Pick<Named, 'type'>): 'machine' | 'repository' | undefined {
  if (MACHINES.includes(type)) return 'machine';
  return type === 'repository' ? type : undefined;
}

/** The zone in whose subnets an address is. */
type Placing = (address: string) => string | undefined;

/** @param placing places addresses without a zone, and names whose machine has addresses in one zone only */
export function traitsOf(asset: Described, placing?: Placing): Traits {
  const { identifiers: known, zone } = asset;
  const named = (type: AssetType) =>
    [asset, ...(asset.aliases ?? [])].flatMap((one) => (one.type === type ? { text: one.value, zone: one.zone } : []));
  const repositories = named('repository');
  const places = [
    ...named('host'),
    ...[...(known?.fqdns ?? []), ...(known?.hostnames ?? []), ...(known?.ips ?? [])].map((text) => ({ text, zone })),
  ];
  const addresses = places
    .filter(({ text }) => isIP(text) !== 0)
    .map((one) => ({ ...one, zone: one.zone ?? placing?.(one.text) ?? null }));
  const home = placing && onlyZone(addresses);
  const names = places
    .filter(({ text }) => isIP(text) === 0)
    .map((one) => ({ text: nameOf(one.text), zone: one.zone ?? home ?? null }));
  return {
    cloudResourceId: usable([known?.cloudResourceId], cloudIdOf),
    agentId: usable([known?.agentId], (text) => compact(text)),
    serialNumber: usable([known?.serialNumber], serialOf),
    machineId: usable(known?.machineIds ?? [], machineIdOf),
    mac: usable(known?.macs ?? [], macOf),
    fqdn: within(names, (name) => (isFullName(name) ? name : undefined)),
    hostname: within(names, (name) => (isLocal(name) ? undefined : name.split('.', 1)[0])),
    ip: within(addresses, addressOf),
    codeHost: within(repositories, (text) => REPOSITORY.exec(text)?.[1]?.toLowerCase()),
    repository: within(repositories, (text) => REPOSITORY.exec(text)?.[2]?.toLowerCase()),
  };
}

/** The host and the name of a repository, which a CI job may name without its host. */
const REPOSITORY = /^(?:https?:\/\/([^/]+)\/)?(\w[\w.-]*(?:\/[\w.-]+)+)$/i;

function onlyZone(addresses: readonly Placed[]): string | undefined {
  const [one, ...others] = new Set(addresses.flatMap(({ zone }) => zone ?? []));
  return others.length === 0 ? one : undefined;
}

type Keys = {
  /** The most of each kind. */
  most?: number;
  placing?: Placing | undefined;
};

/**
 * The texts by which the index finds assets with the same identifier. A short name or a code host alone proves nothing,
 * so there is no text for it.
 */
export function traitKeys(asset: Described, { most = Number.POSITIVE_INFINITY, placing }: Keys = {}): string[] {
  const family = familyOf(asset);
  if (!family) return [];
  const { hostname: _hostname, codeHost: _codeHost, repository, ...machine } = traitsOf(asset, placing);
  const others = family === 'machine' ? machine : { repository };
  return Object.entries(others).flatMap(([kind, values]) => values.slice(0, most).map((value) => `${kind}=${value}`));
}

const IN_ZONE = /^(\S+) in /;

/** The same name or address in no zone, of a value or a key; itself where it has none. */
export const unplaced = (text: string): string => IN_ZONE.exec(text)?.[1] ?? text;

/** Each is a row of the index, and a transaction has room for 100. */
export const INDEXED_TRAITS = 5;

type Placed = { text: string; zone: string | null };

/** Names and addresses mean something within their zone only. */
const within = (all: readonly Placed[], formOf: (text: string) => string | undefined): string[] => [
  ...new Set(
    all.flatMap(({ text, zone }) => {
      const form = formOf(text);
      return form ? [zone === null ? form : `${form} in ${zone}`] : [];
    }),
  ),
];

const usable = (texts: readonly (string | null | undefined)[], formOf: (text: string) => string | undefined) => [
  ...new Set(texts.flatMap((text) => (text ? (formOf(text.trim()) ?? []) : []))),
];

const compact = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
/** Zeros, or any other character again and again. */
const isFilling = (text: string): boolean => /^(.)\1*$/.test(text);

/** AWS instances have an id and an ARN, which ends with the id. */
const cloudIdOf = (text: string): string => /\bi-[0-9a-f]{8,17}$/.exec(text)?.[0] ?? text.toLowerCase();

/** Texts that makers of hardware leave in its memory instead of a number. */
const NO_SERIAL =
  /^(?:tobefilledbyoem|default(?:string)?|(?:system|chassis|base ?board)?serialnumber|none|na|notspecified|notavailable|notapplicable|unknown|invalid|empty|null|oem|0?123456789.{0,6})$/;

function serialOf(text: string): string | undefined {
  const form = compact(text);
  return form.length < 4 || isFilling(form) || NO_SERIAL.test(form) ? undefined : form;
}

/** Identifiers that firmware has where its maker gave it none. */
const NO_MACHINE: readonly string[] = ['03000200040005000006000700080009', '123456781234567890abcddeefaabbcc'];

/** Tools read the first half of a UUID in either byte order: this takes the lesser of both spellings. */
function machineIdOf(text: string): string | undefined {
  const form = compact(text);
  if (form.length < 8 || isFilling(form)) return undefined;
  if (!/^[0-9a-f]{32}$/.test(form)) return form;
  const bytes = form.match(/../g) ?? [];
  const turned = [
    [3, 2, 1, 0],
    [5, 4],
    [7, 6],
  ]
    .flat()
    .map((n) => bytes[n]);
  const forms = [form, turned.join('') + form.slice(16)];
  return forms.some((one) => NO_MACHINE.includes(one)) ? undefined : forms.sort()[0];
}

/**
 * Addresses of network cards that many machines have: routers that share one (VRRP, HSRP, GLBP), load balancers, bridges of Docker,
 * cards of VMware and VirtualBox for the machine itself, cards of VPN clients.
 */
const SHARED_MAC =
  /^(?:00:00:5e:00:0[12]:|00:00:0c:07:ac:|00:00:0c:9f:f|00:07:b4:|0[23]:bf:|02:42:|00:50:56:c0:|0a:00:27:|00:05:9a:3c:7[8a]:|02:05:85:7f:|00:09:0f:(?:fe|aa):00|00:53:45:|54:55:43:44:52:|fe:ff:ff:ff:ff:ff$)/;

function macOf(text: string): string | undefined {
  const digits = compact(text);
  if (!/^[0-9a-f]{12}$/.test(digits) || isFilling(digits)) return undefined;
  const form = (digits.match(/../g) ?? []).join(':');
  const isGroup = Number.parseInt(form.slice(0, 2), 16) % 2 === 1;
  return isGroup || SHARED_MAC.test(form) ? undefined : form;
}

const nameOf = (text: string): string => text.trim().replace(/\.$/, '').toLowerCase();
const isLocal = (name: string): boolean => /^(?:localhost\d?|localdomain)(?:\.|$)|\.localhost$/.test(name);
const isFullName = (name: string): boolean =>
  /^[a-z0-9_][a-z0-9_.-]{0,250}$/.test(name) && name.includes('.') && !isLocal(name);

/**
 * Addresses of the machine itself or of its link, groups, and those that Docker, libvirt and VirtualBox give to every machine on
 * which they run.
 */
const NO_ADDRESS =
  /^(?:0\.|127\.|169\.254\.|22[4-9]\.|2[3-5]\d\.|172\.17\.0\.1$|192\.168\.122\.1$|192\.168\.56\.1$|::1?$|fe[89ab]|ff)/;

function addressOf(text: string): string | undefined {
  const form = isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : text;
  return form === undefined || NO_ADDRESS.test(form) ? undefined : form;
}
