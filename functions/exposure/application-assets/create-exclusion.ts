import { assets } from '#shared/assets/asset/asset.ts';
import {
  checkedExclusion,
  excludeEdit,
  type NewExclusion,
  saveExclusion,
} from '#shared/exposure/asset-links/exclusions.ts';
import { handLink, ruleLink } from '#shared/exposure/asset-links/links.ts';
import {
  type ApplicationAssetExclusion,
  applicationExclusions,
} from '#shared/exposure/asset-rules/application-exclusion.ts';
import { metBy } from '#shared/exposure/asset-rules/preview.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import { conflict, fixedLimit, invalid } from '#shared/platform/runtime/errors.ts';
import { ordinalOf } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { newestOf } from '#shared/platform/table/layout/bits.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** Each change of an asset compares the asset with all conditions. */
const MAX_CONDITIONS = 50;

/** @throws validation_failed, conflict */
export async function createExclusion(context: Context, applicationId: string, body: NewExclusion) {
  const { table } = context;
  const checked = await checkedExclusion(table, body);
  const [id = ''] = await table.reserve(applicationExclusions, 1);
  const exclusion = table.stamp<ApplicationAssetExclusion>({ ...checked, id, applicationId, taskId: null });
  const { assetId } = exclusion;
  return assetId === null ? byCondition(context, exclusion) : byAsset(context, exclusion, assetId);
}

async function byAsset(context: Context, exclusion: ApplicationAssetExclusion, assetId: string) {
  const { table } = context;
  const { applicationId } = exclusion;
  const [settled] = await settleAssets(context, [ordinalOf(assetId)], (asset) => {
    const current = (asset.exclusions ?? []).find((one) => one.applicationId === applicationId);
    if (current) throw conflict(`The asset ${assetId} is excluded: ${current.exclusionId} is its exclusion.`);
    return excludeEdit(table, asset, exclusion);
  });
  if (!settled) throw invalid('assetId', 'must be the id of an asset');
  const { before, after } = settled;
  const removedLinks = ruleLink(before, applicationId) && !ruleLink(after, applicationId) ? 1 : 0;
  return { ...exclusion, removedLinks, kept: handLink(after, applicationId) ? 1 : 0 };
}

async function byCondition(context: Context, exclusion: ApplicationAssetExclusion) {
  const { table } = context;
  const { applicationId } = exclusion;
  const where = { application: applicationId, kind: 'condition' };
  const { totalCount } = await table.list(applicationExclusions, { paginateFrom: 0, paginateSize: 1, where });
  if (totalCount >= MAX_CONDITIONS) throw fixedLimit('An application', MAX_CONDITIONS, 'exclusions by condition');
  const created = await saveExclusion(context, exclusion);
  return { ...created, removedLinks: null, kept: await keptBy(table, created) };
}

/** The assets of an application that people linked and that meet the condition of an exclusion. */
async function keptBy(table: Table, { applicationId, condition }: ApplicationAssetExclusion): Promise<number> {
  if (!condition) return 0;
  const linked = { name: 'application', values: [applicationId] };
  const { bits } = await metBy(table, condition, true, linked);
  const found = await recordsAt(table, assets, newestOf(bits));
  return found.filter((asset) => handLink(asset, applicationId)).length;
}
