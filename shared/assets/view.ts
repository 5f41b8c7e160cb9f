import * as z from 'zod';
import { Asset, seenAt } from '../entities/asset.ts';
import { AssetIdentifiers, CloudPlace } from '../entities/asset-facts.ts';
import { createBody, live, readOnly, Timestamp } from '../http/records.ts';
import { Severity } from '../reports/report.ts';
import { inSeconds } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { openFindingsOf } from './open-findings.ts';
import { type OpenFindings, riskScore } from './risk.ts';

/** An asset that no tool saw for so many days is stale. */
const STALE_DAYS = 30;

export const ASSET_STATUSES = ['active', 'stale'] as const;

const { type, value, zone, mergedInto: _mergedInto, aliases, sources, lastSeenAt: _lastSeenAt, ...shape } = Asset.shape;

/** An asset as it is answered: the stored record with what counters and the clock say of it. */
export const AssetView = z
  .object({
    ...shape,
    type: readOnly(type.meta({ description: '`url` is a web application' })),
    value: readOnly(value),
    zone: readOnly(zone),
    aliases: readOnly(aliases.unwrap()),
    identifiers: AssetIdentifiers.default(AssetIdentifiers.parse({})),
    ownerId: z
      .string()
      .min(1)
      .max(120)
      .nullable()
      .default(null)
      .meta({ description: 'a service account, or yourself' }),
    cloud: CloudPlace.nullable().default(null),
    lastSeenAt: readOnly(
      Timestamp.meta({ description: 'the newest report or agent that saw it; moved when a day or more has passed' }),
    ),
    sources: readOnly(sources.unwrap().meta({ description: 'the tools that reported it' })),
    status: live(z.enum(ASSET_STATUSES).meta({ description: `\`stale\`: nothing saw it for ${STALE_DAYS} days` })),
    openFindings: live(z.record(Severity, z.int().nonnegative()).meta({ description: 'open or in progress' })),
    riskScore: live(z.int().min(0).max(100).meta({ description: 'docs/priority.md has the formula' })),
  })
  .meta({ id: 'Asset' });
export type AssetView = z.infer<typeof AssetView>;

/** The body that creates an asset. */
export const AssetCreate = createBody(AssetView, {
  type,
  value: value.meta({ example: 'web-01.example.com' }),
  zone: z.string().trim().min(1).max(120).nullable().default(null),
  name: shape.name.optional().meta({ description: '`value` if absent' }),
}).meta({ id: 'AssetCreate' });
export type AssetCreate = z.infer<typeof AssetCreate>;

const NO_IDENTIFIERS = AssetIdentifiers.parse({});

function viewOf(asset: Asset, openFindings: OpenFindings): AssetView {
  const { mergedInto: _mergedInto, ...stored } = asset;
  return {
    ...stored,
    aliases: asset.aliases ?? [],
    identifiers: asset.identifiers ?? NO_IDENTIFIERS,
    ownerId: asset.ownerId ?? null,
    cloud: asset.cloud ?? null,
    lastSeenAt: seenAt(asset),
    sources: asset.sources ?? [],
    status: statusOf(asset),
    openFindings,
    riskScore: riskScore(openFindings, asset),
  };
}

const statusOf = (asset: Asset): AssetView['status'] =>
  seenAt(asset).slice(0, 10) < staleBefore() ? 'stale' : 'active';

/** Assets that were seen last before this day (UTC) are stale. */
export const staleBefore = (): string => inSeconds(-STALE_DAYS * 86_400).slice(0, 10);

export async function assetViews(table: Table, some: readonly Asset[]): Promise<AssetView[]> {
  const openOn = await openFindingsOf(
    table,
    some.map(({ id }) => id),
  );
  return some.map((asset) => viewOf(asset, openOn(asset.id)));
}

export async function assetView(table: Table, asset: Asset): Promise<AssetView> {
  const openOn = await openFindingsOf(table, [asset.id]);
  return viewOf(asset, openOn(asset.id));
}
