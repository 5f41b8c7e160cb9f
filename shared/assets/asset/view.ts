import * as z from 'zod';
import { readSettings } from '#shared/credentials/organization-settings.ts';
import { figureLinks } from '#shared/platform/http/figures.ts';
import {
  createBody,
  Id,
  live,
  objectNamed,
  readOnly,
  Timestamp,
  text,
  trimmedText,
} from '#shared/platform/http/records.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { type FieldsWhere, fieldsWhere } from '#shared/platform/table/field-table.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { Asset, type AssetFields, assetFields, seenAt } from './asset.ts';
import { AssetIdentifiers, CloudPlace } from './asset-facts.ts';
import { applicationsOf } from './asset-link.ts';
import { mergedAssets } from './merged-asset.ts';
import { readOpenCounts } from './open-counts.ts';
import { type OpenBySeverity, riskScore } from './risk.ts';

export const ASSET_STATUSES = ['active', 'stale', 'retired'] as const;

type HiddenField = Exclude<keyof AssetFields, FieldsWhere<AssetFields, 'shown', true>>;

const SHOWN = new Set<string>(fieldsWhere(assetFields, 'shown', true));
const HIDDEN = Object.keys(assetFields).filter((name) => !SHOWN.has(name));

const {
  type,
  value,
  zone,
  aliases,
  ruleTags,
  sources,
  retiredAt,
  lastSeenAt: _lastSeenAt,
  ...shape
} = Asset.omit(Object.fromEntries(HIDDEN.map((name) => [name, true])) as Record<HiddenField, true>).shape;

/** The most merges that an asset shows. */
const MAX_MERGED = 20;

const MergedFrom = objectNamed('MergedAsset', {
  id: Id,
  type,
  value,
  zone,
  name: shape.name,
  mergedAt: Timestamp,
  taskId: Id.meta({
    description: 'the task of the merge, which `POST /api/v1/assets/merges/{taskId}/undo` undoes within 30 days',
  }),
});

const BySeverity = z.record(Severity, z.int().nonnegative());

/** The answer for an asset: the stored record with values from counters and the clock. */
export const AssetView = objectNamed('Asset', {
  ...shape,
  type: readOnly(type.meta({ description: '`url` is a web application' })),
  value: readOnly(value),
  zone: readOnly(zone),
  aliases: readOnly(aliases.unwrap()),
  ruleTags: live(ruleTags.unwrap()),
  applicationIds: live(z.array(Id).meta({ description: 'the applications to which people or rules link it' })),
  identifiers: AssetIdentifiers.default(AssetIdentifiers.parse({})),
  ownerId: text(120).nullable().default(null).meta({ description: 'the id of a service account or your own id' }),
  cloud: CloudPlace.nullable().default(null),
  lastSeenAt: readOnly(
    Timestamp.meta({ description: 'when a report or agent last saw it; updated when a day or more has passed' }),
  ),
  sources: readOnly(
    sources.unwrap().meta({ description: 'the tools that reported findings, services, software or facts of it' }),
  ),
  retiredAt: readOnly(retiredAt.unwrap()),
  status: live(
    z.enum(ASSET_STATUSES).meta({
      description: '`stale`: nothing saw it for `assetStaleDays` of the organization (30); `retired`: see `retiredAt`',
    }),
  ),
  openFindings: live(BySeverity.meta({ description: 'open or in progress' })),
  openVulnerabilities: live(
    BySeverity.meta({ description: 'open or in progress; updated within seconds after the findings' }),
  ),
  mergedFrom: live(
    z
      .array(MergedFrom)
      .optional()
      .meta({
        description: `the last ${MAX_MERGED} assets that were merged into it, newest first; of one asset only`,
      }),
  ),
  riskScore: live(z.int().min(0).max(100).meta({ description: 'docs/priority.md has the formula' })),
  links: live(figureLinks.links.optional().meta({ description: 'the lists of its open counts; of one asset only' })),
});
export type AssetView = z.infer<typeof AssetView>;

/** The body that creates an asset. */
export const AssetCreate = createBody(AssetView, {
  type,
  value: value.meta({ example: 'web-01.example.com' }),
  zone: trimmedText(120).nullish().meta({
    description: 'absent: an address is in the zone of its subnet, all other assets are in no zone; null: no zone',
  }),
  name: shape.name.optional().meta({ description: '`value` if absent' }),
}).meta({ id: 'AssetCreate' });
export type AssetCreate = z.infer<typeof AssetCreate>;

const NO_IDENTIFIERS = AssetIdentifiers.parse({});

type Open = { openFindings: OpenBySeverity; openVulnerabilities: OpenBySeverity };

function viewOf(asset: Asset, open: Open, stale: string): AssetView {
  const shown = Object.fromEntries(Object.entries(asset).filter(([name]) => SHOWN.has(name)));
  return {
    ...(shown as Omit<Asset, HiddenField>),
    aliases: asset.aliases ?? [],
    ruleTags: asset.ruleTags ?? [],
    applicationIds: asset.retiredAt ? [] : applicationsOf(asset),
    identifiers: asset.identifiers ?? NO_IDENTIFIERS,
    ownerId: asset.ownerId ?? null,
    cloud: asset.cloud ?? null,
    lastSeenAt: seenAt(asset),
    sources: asset.sources ?? [],
    retiredAt: asset.retiredAt ?? null,
    status: statusOf(asset, stale),
    ...open,
    riskScore: riskScore(open.openFindings, asset),
  };
}

function statusOf(asset: Asset, stale: string): AssetView['status'] {
  if (asset.retiredAt) return 'retired';
  return seenAt(asset).slice(0, 10) < stale ? 'stale' : 'active';
}

/** Assets that were seen last before this day (UTC) are stale. */
export async function staleBefore(table: Table): Promise<string> {
  const { assetStaleDays } = await readSettings(table);
  return inSeconds(-assetStaleDays * 86_400).slice(0, 10);
}

export async function assetViews(table: Table, some: readonly Asset[]): Promise<AssetView[]> {
  const ids = some.map(({ id }) => id);
  const [findingsOn, vulnerabilitiesOn, stale] = await Promise.all([
    readOpenCounts(table, 'findings', ids),
    readOpenCounts(table, 'vulnerabilities', ids),
    staleBefore(table),
  ]);
  const openOn = (id: string): Open => ({ openFindings: findingsOn(id), openVulnerabilities: vulnerabilitiesOn(id) });
  return some.map((asset) => viewOf(asset, openOn(asset.id), stale));
}

export async function assetView(table: Table, asset: Asset): Promise<AssetView> {
  const [view] = await assetViews(table, [asset]);
  if (!view) throw new Error('an asset has one view');
  return view;
}

/** One asset, with the assets that were merged into it. */
export async function assetWithMerges(table: Table, asset: Asset): Promise<AssetView> {
  const [view, mergedFrom] = await Promise.all([assetView(table, asset), mergedInto(table, asset.id)]);
  return { ...view, mergedFrom };
}

async function mergedInto(table: Table, id: string): Promise<z.infer<typeof MergedFrom>[]> {
  const { data } = await table.list(mergedAssets, {
    paginateFrom: 0,
    paginateSize: MAX_MERGED,
    where: { mergedInto: id },
  });
  return data.flatMap(({ id, type, value, zone, name, mergedInto }) =>
    mergedInto ? { id, type, value, zone, name, mergedAt: mergedInto.at, taskId: mergedInto.taskId } : [],
  );
}
