import type * as z from 'zod';
import { assets } from '#shared/assets/asset/asset.ts';
import { mappingId } from '#shared/assets/asset/asset-link.ts';
import { excludeEdit } from '#shared/exposure/asset-links/exclusions.ts';
import { handLink, isLinked, ruleLink, unlinkEdit } from '#shared/exposure/asset-links/links.ts';
import {
  type ApplicationAssetExclusion,
  applicationExclusions,
} from '#shared/exposure/asset-rules/application-exclusion.ts';
import type { ListAsset } from '#shared/exposure/asset-rules/ruleset.ts';
import { type Edit, settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import { isId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { applicationAssetRoutes } from './routes.ts';

type Body = z.output<typeof applicationAssetRoutes.bulkUnlinkAssets.body>;

/** Removes people's links, and with `alsoExclude` also rules' links, from assets. */
export async function unlinkInBulk(context: Context, applicationId: string, body: Body) {
  const { found, notFound } = await linkedOf(context.table, applicationId, body);
  const exclusions = body.alsoExclude
    ? await exclusionsOf(context.table, applicationId, { found, reason: body.reason })
    : undefined;
  const settled = await settleAssets(
    context,
    found.map(({ id }) => ordinalOf(id)),
    (asset) => editOf(context.table, asset, { applicationId, exclusion: exclusions?.get(asset.id) }),
  );
  const after = new Map([
    ...found.map((asset) => [asset.id, asset] as const),
    ...settled.map((one) => [one.after.id, one.after] as const),
  ]);
  const linked = [...after.values()].filter((asset) => isLinked(asset, applicationId));
  const ruleLinked = linked.flatMap((asset) => {
    const rule = ruleLink(asset, applicationId);
    return rule ? [{ assetId: asset.id, ruleId: rule.ruleId }] : [];
  });
  return { unlinked: found.length - linked.length, notFound, ruleLinked };
}

/** The linked assets that the request names. */
async function linkedOf(table: Table, applicationId: string, { mappingIds, assetIds }: Body) {
  if ((mappingIds === undefined) === (assetIds === undefined))
    throw invalid('assetIds', 'send either assetIds or mappingIds');
  const wanted = [...new Set(mappingIds ?? assetIds ?? [])];
  const read = await recordsAt(table, assets, [...new Set(wanted.filter(isId).map(ordinalOf))]);
  const named = new Map(
    read.map((asset) => [mappingIds ? mappingId(asset.id, applicationId) : asset.id, asset] as const),
  );
  const isThere = (id: string) => isLinked(named.get(id) ?? {}, applicationId);
  return {
    found: wanted.flatMap((id) => (isThere(id) ? (named.get(id) ?? []) : [])),
    notFound: wanted.filter((id) => !isThere(id)),
  };
}

type Excluding = { found: readonly ListAsset[]; reason: string | undefined };

/** A new exclusion for each asset that has none, by the asset's id. */
async function exclusionsOf(table: Table, applicationId: string, { found, reason = 'unlinked' }: Excluding) {
  const ids = found.length > 0 ? await table.reserve(applicationExclusions, found.length) : [];
  return new Map(
    found.map(({ id: assetId }, n) => {
      const draft = { applicationId, assetId, condition: null, reason, expiresAt: null, taskId: null };
      return [assetId, table.stamp<ApplicationAssetExclusion>({ ...draft, id: ids[n] ?? '' })] as const;
    }),
  );
}

type Unlinking = { applicationId: string; exclusion: ApplicationAssetExclusion | undefined };

function editOf(table: Table, asset: ListAsset, { applicationId, exclusion }: Unlinking): Edit | undefined {
  const unlinked = handLink(asset, applicationId) && unlinkEdit(asset, applicationId);
  const isNamed = (asset.exclusions ?? []).some((one) => one.applicationId === applicationId);
  const excluded = exclusion && !isNamed ? excludeEdit(table, asset, exclusion) : undefined;
  if (!unlinked && !excluded) return undefined;
  return { changes: { ...unlinked?.changes, ...excluded?.changes }, ...(excluded?.also && { also: excluded.also }) };
}
