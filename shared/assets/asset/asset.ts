import { hash } from 'node:crypto';
import * as z from 'zod';
import { Id, objectNamed, readOnly, recordFields, Timestamp } from '#shared/platform/http/records.ts';
import { caseless, distinct } from '#shared/platform/runtime/texts.ts';
import { count, defineEntity } from '#shared/platform/table/entity.ts';
import { fieldsWhere } from '#shared/platform/table/field-table.ts';
import { AssetType, POSITIONED_TYPES } from '#shared/reports/report/asset-type.ts';
import { OperatingSystem, Service } from '#shared/reports/report/report.ts';
import { dayOf, dayTally } from '#shared/reports/report/time-measures.ts';
import { AssetLook, looksOf, oldestLook } from '../controls/asset-look.ts';
import { lookTallies } from '../controls/compliance-counters.ts';
import { AssetIdentifiers, CloudPlace, identifierWords } from './asset-facts.ts';
import { type AssetField, listing, naming, ruled, sighted, stampFields } from './asset-field.ts';
import { AssetExclusion, AssetLink, applicationsOf, linkMarks, MAX_LINKS, RuleLink } from './asset-link.ts';
import { conditionMarks } from './asset-names.ts';
import { cloudTagTallies, scopeFacets } from './asset-scopes.ts';
import { INDEXED_TRAITS, traitKeys } from './asset-traits.ts';
import { osMark, osTally } from './operating-system.ts';

export const CRITICALITIES = ['low', 'medium', 'high', 'critical'] as const;

/** The most other names of an asset. */
export const MAX_ALIASES = 50;

const identity = {
  type: AssetType,
  /** Identifies the asset within its zone: a host name or address, a URL, a repository. */
  value: z.string().min(1).max(2048),
  zone: z.string().nullable(),
};

/** The most products that an asset reports. */
export const MAX_PRODUCTS = 200;

export const ProductName = z.object({
  vendor: z.string().nullable(),
  product: z.string(),
  version: z.string().nullable(),
  cpe: z.string().nullable(),
});
export type ProductName = z.infer<typeof ProductName>;

/** Most sources of an asset's inventory; of more, those that changed last. */
export const MAX_SOURCES = 20;

/** The most tools that an asset names. */
export const MAX_TOOLS = 20;

/** The tools of several lists, with the same result in any order of the lists. */
export const toolsTogether = (...lists: readonly (readonly string[])[]): string[] =>
  [...new Set(lists.flat())].sort().slice(0, MAX_TOOLS);

/** One source of an asset's inventory: its agent, or the scans of one format and type. */
export const InventorySource = objectNamed('InventorySource', {
  source: z.string().meta({ description: '`agent`, or a format of reports and the type of scan: `nmap`, `nmap/full`' }),
  changedAt: Timestamp,
  hash: z.string().meta({ description: 'changes with what the source says' }),
  services: z.int().nonnegative().nullable().meta({ description: 'null: the source does not report services' }),
  software: z.int().nonnegative().nullable(),
  os: OperatingSystem.nullable(),
  assetId: Id.optional().meta({
    description: 'the merged asset about which the source reported',
  }),
});
export type InventorySource = z.infer<typeof InventorySource>;

/**
 * A thing that the organization owns and that can be attacked. `zone` null: reachable under its name from everywhere.
 */
export const Asset = z.object({
  ...recordFields,
  ...identity,
  name: z.string().min(1).max(300),
  aliases: readOnly(
    z.array(z.object(identity)).max(MAX_ALIASES).optional().meta({
      description: 'other names under which reports know the asset; a problem has one finding under all names',
    }),
  ),
  criticality: z.enum(CRITICALITIES).default('medium'),
  internetExposed: z.boolean().nullable().default(null),
  tags: z.array(z.string().min(1).max(120)).max(50).default([]),
  ruleTags: readOnly(
    z
      .array(z.string())
      .optional()
      .meta({ description: 'tags from rules (`/api/v1/asset-tag-rules`), which work as `tags`' }),
  ),
  /** The rules, and exclusions by condition, that it meets. */
  matches: readOnly(z.array(Id).optional()),
  links: readOnly(z.array(AssetLink).max(MAX_LINKS).optional()),
  ruleLinks: readOnly(z.array(RuleLink).optional()),
  exclusions: readOnly(z.array(AssetExclusion).max(MAX_LINKS).optional()),
  /** The applications whose rules must not link the asset. */
  excludedFrom: readOnly(z.array(Id).optional()),
  ownerId: z.string().min(1).max(120).nullish(),
  identifiers: AssetIdentifiers.optional(),
  cloud: CloudPlace.nullish(),
  mergedInto: readOnly(
    z
      .object({ assetId: Id, taskId: Id, at: Timestamp })
      .optional()
      .meta({ description: 'the asset into which this asset was merged; a merged asset is in no list' }),
  ),
  firstSeenAt: readOnly(Timestamp),
  /** Absent: of an earlier release, and not seen since. */
  lastSeenAt: readOnly(Timestamp.optional()),
  retiredAt: readOnly(Timestamp.nullish().meta({ description: 'when it was retired, automatically or by hand' })),
  /** The import that named it first; absent: nothing of an import, or of an earlier release. */
  importId: readOnly(Id.optional()),
  /** The tools that reported findings, services, software or facts of the asset. */
  sources: readOnly(z.array(z.string()).optional()),
  os: readOnly(OperatingSystem.nullish()),
  agentId: readOnly(Id.nullish()),
  /** The number of known software entries; the list itself is in the bucket (shared/assets/inventory). */
  software: readOnly(z.object({ count: z.int().nonnegative(), changedAt: Timestamp }).nullish()),
  services: readOnly(z.array(Service).optional().meta({ description: 'the services on its ports, from all sources' })),
  products: readOnly(
    z.array(ProductName).optional().meta({ description: 'the products of its services, and programs beside packages' }),
  ),
  looks: readOnly(
    z.array(AssetLook).max(MAX_TOOLS).optional().meta({
      description: 'the last completed scan of each tool that looked at the asset, of the last 90 days',
    }),
  ),
  inventory: readOnly(
    z.array(InventorySource).optional().meta({ description: 'the sources of its services and software' }),
  ),
});
export type Asset = z.infer<typeof Asset>;

/** The life of each field. Merge, undo, rules, feed, history and view derive from it; the compiler asks for new fields. */
export const assetFields = {
  ...stampFields,
  type: naming,
  value: naming,
  zone: naming,
  name: { saidBy: 'person', merge: 'own', rules: true, identity: false, feed: 'value', shown: true },
  aliases: { saidBy: 'source', merge: 'union', rules: true, identity: true, feed: 'value', shown: true },
  criticality: { saidBy: 'person', merge: 'own', rules: true, identity: false, feed: 'value', shown: true },
  internetExposed: { saidBy: 'person', merge: 'known', rules: true, identity: false, feed: 'value', shown: true },
  tags: { saidBy: 'person', merge: 'union', rules: true, identity: false, feed: 'value', shown: true },
  ruleTags: { saidBy: 'system', merge: 'own', rules: true, identity: false, feed: 'value', shown: true },
  matches: ruled,
  links: { saidBy: 'person', merge: 'union', rules: true, identity: false, feed: 'name', shown: 'applicationIds' },
  ruleLinks: { saidBy: 'system', merge: 'own', rules: true, identity: false, feed: 'name', shown: 'applicationIds' },
  exclusions: { saidBy: 'person', merge: 'union', rules: true, identity: false, feed: 'name', shown: false },
  excludedFrom: ruled,
  ownerId: { saidBy: 'person', merge: 'known', rules: true, identity: false, feed: 'value', shown: true },
  identifiers: { saidBy: 'person', merge: 'union', rules: true, identity: true, feed: 'name', shown: true },
  cloud: { saidBy: 'person', merge: 'known', rules: true, identity: false, feed: 'name', shown: true },
  mergedInto: { saidBy: 'system', merge: 'own', rules: false, identity: false, feed: 'name', shown: false },
  firstSeenAt: sighted,
  lastSeenAt: sighted,
  retiredAt: { saidBy: 'system', merge: 'own', rules: true, identity: true, feed: 'value', shown: true },
  importId: { saidBy: 'system', merge: 'own', rules: false, identity: false, feed: 'name', shown: false },
  sources: { saidBy: 'report', merge: 'union', rules: false, identity: false, feed: 'value', shown: true },
  os: { saidBy: 'report', merge: 'known', rules: true, identity: false, feed: 'value', shown: true },
  agentId: { saidBy: 'source', merge: 'known', rules: false, identity: true, feed: 'value', shown: true },
  software: listing,
  services: listing,
  products: listing,
  looks: { saidBy: 'source', merge: 'union', rules: false, identity: false, feed: 'name', shown: true },
  inventory: { ...listing, saidBy: 'source' },
} as const satisfies Record<keyof Asset, AssetField>;

export type AssetFields = typeof assetFields;

export type AssetIdentity = Pick<Asset, 'type' | 'value' | 'zone'>;

/**
 * One text per asset: the same private address in two zones is two assets. Hashed, because keys have a maximum length.
 */
export function assetKey({ zone, type, value }: AssetIdentity): string {
  const text = JSON.stringify([zone ?? '', type, value]);
  if (last.text !== text) last = { text, key: hash('sha256', text, 'base64url').slice(0, 27) };
  return last.key;
}

/** The findings of a report are on few assets, most of them on the same asset as the finding before. */
let last = { text: '', key: '' };

/** The keys of all identities of an asset; its own is the first. */
export const assetKeys = (asset: AssetIdentity & Pick<Asset, 'aliases'>): string[] =>
  [asset, ...(asset.aliases ?? [])].map(assetKey);

/** When the asset was last seen, as far as it is recorded. */
export const seenAt = ({ lastSeenAt, firstSeenAt }: Pick<Asset, 'lastSeenAt' | 'firstSeenAt'>): string =>
  lastSeenAt ?? firstSeenAt;

/** The tags of an asset from people and from rules. */
export const tagsOf = ({ tags, ruleTags = [] }: Pick<Asset, 'tags' | 'ruleTags'>): string[] =>
  distinct([...tags, ...ruleTags]);

/** A host on which an agent reports. */
const isManaged = ({ type, agentId }: Pick<Asset, 'type' | 'agentId'>): boolean => type === 'host' && Boolean(agentId);

export const assets = defineEntity(Asset, {
  name: 'asset',
  together: true,
  feedFields: fieldsWhere(assetFields, 'feed', 'value'),
  dimensions: { type: POSITIONED_TYPES, criticality: CRITICALITIES },
  parents: { zone: { of: ({ zone }) => zone } },
  facets: (asset) => ({
    ...(!asset.retiredAt && {
      ...count({ type: asset.type, criticality: asset.criticality }),
      ...(asset.internetExposed && { internetExposed: 1 }),
      ...(asset.ownerId == null && { unowned: 1 }),
      ...(applicationsOf(asset).length === 0 && { unlinked: 1 }),
      ...scopeFacets(asset),
      ...(isManaged(asset) && { managed: 1 }),
    }),
  }),
  /** `seen`, a row per month: how many assets were last seen on each day. */
  tallies: (asset) => [
    { facet: 'zone', value: asset.zone },
    ...(asset.retiredAt
      ? []
      : [
          ...osTally(asset.os),
          dayTally('seen', seenAt(asset)),
          ...cloudTagTallies(asset.cloud),
          ...lookTallies({ ...asset, applicationIds: applicationsOf(asset) }),
        ]),
  ],
  search: ({ name, value, zone, aliases = [], identifiers, ...asset }) => [
    ...[name, value, zone, ...tagsOf(asset)],
    ...aliases.map((alias) => alias.value),
    ...identifierWords(identifiers),
  ],
  indexed: ({ zone, ownerId, internetExposed, retiredAt, ...asset }) => ({
    zone: zone === null ? null : caseless(zone),
    ...conditionMarks(asset),
    identifier: traitKeys({ zone, ...asset }, { most: INDEXED_TRAITS }),
    retired: retiredAt ? 'true' : undefined,
    tag: tagsOf(asset).map(caseless),
    ...linkMarks({ ...asset, retiredAt }),
    owner: ownerId ?? null,
    import: asset.importId,
    exposed: internetExposed === null ? null : String(internetExposed),
    looked: retiredAt ? undefined : looksOf(asset),
    os: retiredAt ? undefined : osMark(asset.os),
    managed: isManaged(asset) ? 'true' : undefined,
  }),
  /** Retired assets have no place in the order: they would be before all others. */
  ordered: (asset) => ({
    seen: asset.retiredAt ? null : dayOf(seenAt(asset)),
    looked: oldestLook(asset),
  }),
  unique: (asset) => ({ identity: assetKeys(asset) }),
  detail: ['services', 'products'],
  inPart: { zones: 'zone', applicationIds: 'application', teamIds: 'owner' },
});
