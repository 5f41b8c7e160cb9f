import { assets } from '#shared/assets/asset/asset.ts';
import { mappingId } from '#shared/assets/asset/asset-link.ts';
import { applications } from '#shared/exposure/applications/application.ts';
import { removeExclusion } from '#shared/exposure/asset-links/exclusions.ts';
import { handLink, isExcluded, isLinked, linkEdit, ruleLink, unlinkEdit } from '#shared/exposure/asset-links/links.ts';
import { mappingOf } from '#shared/exposure/asset-links/mapping.ts';
import { applicationExclusions } from '#shared/exposure/asset-rules/application-exclusion.ts';
import { settleAssets } from '#shared/exposure/asset-rules/settle-assets.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { isId, ordinalOf } from '#shared/platform/runtime/ids.ts';
import { retry } from '#shared/platform/runtime/retry.ts';
import { recordsAt } from '#shared/platform/table/selected.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { availableAssets } from './available.ts';
import { linkInBulk } from './bulk-link.ts';
import { createExclusion } from './create-exclusion.ts';
import { environmentIn } from './environment.ts';
import type { applicationAssetRoutes } from './routes.ts';
import { unlinkInBulk } from './unlink.ts';

async function createMapping(call: Call<typeof applicationAssetRoutes.createAssetMapping>) {
  const { connections, table, params, body } = call;
  const environmentId = environmentIn(await table.get(applications, params.id), body.environmentId);
  if (!(await table.find(assets, body.assetId, true))) throw invalid('assetId', 'must be the id of an asset');
  const applicationId = params.id;
  const at = now();
  const [made] = await settleAssets({ connections, table }, [ordinalOf(body.assetId)], (asset) => {
    if (asset.retiredAt)
      throw conflict(`The asset ${asset.id} is retired: link it after a report or agent sees it again.`);
    if (isExcluded(asset, applicationId))
      throw conflict(`The asset ${asset.id} is excluded from the application: delete the exclusion first.`);
    if (handLink(asset, applicationId))
      throw conflict(`The asset ${asset.id} is linked: ${mappingId(asset.id, applicationId)} is its mapping.`);
    const note = body.note === null ? {} : { note: body.note };
    return linkEdit(table, asset, { applicationId, ...environmentId, origin: 'manual', ...note, at });
  });
  const mapping = made && mappingOf(made.after, applicationId);
  if (!mapping) throw invalid('assetId', 'must be the id of an asset');
  return mapping;
}

/** The asset to which a mapping of an application leads. @throws not_found */
async function assetOf(table: Table, { id, mapping_id: mapping }: { id: string; mapping_id: string }) {
  await table.get(applications, id);
  const found = isId(mapping) ? await recordsAt(table, assets, [ordinalOf(mapping)]) : [];
  const asset = found.find((one) => mappingId(one.id, id) === mapping && isLinked(one, id));
  if (!asset) throw notFound('mapping', mapping);
  return asset;
}

async function deleteMapping({ connections, table, params }: Call<typeof applicationAssetRoutes.deleteAssetMapping>) {
  const { id: assetId } = await assetOf(table, params);
  await settleAssets({ connections, table }, [ordinalOf(assetId)], (asset) => {
    if (handLink(asset, params.id)) return unlinkEdit(asset, params.id);
    const rule = ruleLink(asset, params.id);
    if (rule) throw conflict(`The rule ${rule.ruleId} links this asset: exclude the asset, or change the rule.`);
    return undefined;
  });
  return { id: params.mapping_id, deletedAt: now() };
}

export const applicationAssetHandlers: Handlers<typeof applicationAssetRoutes> = {
  async listAssetMappings({ table, params, query }) {
    await table.get(applications, params.id);
    const { data } = await table.list(assets, { ...query, where: { application: params.id } });
    return data.flatMap((asset) => mappingOf(asset, params.id) ?? []);
  },
  createAssetMapping: createMapping,
  deleteAssetMapping: deleteMapping,

  async searchAvailableAssets({ table, params, query }) {
    await table.get(applications, params.id);
    return availableAssets(table, params.id, query);
  },

  async bulkUnlinkAssets({ connections, table, params, body }) {
    await table.get(applications, params.id);
    return unlinkInBulk({ connections, table }, params.id, body);
  },

  async bulkLinkAssets({ connections, table, params, body: { environmentId, items } }) {
    const application = await table.get(applications, params.id);
    const link = { applicationId: params.id, ...environmentIn(application, environmentId) };
    return linkInBulk({ connections, table }, link, items);
  },

  async listAssetExclusions({ table, params, query }) {
    await table.get(applications, params.id);
    return table.list(applicationExclusions, { ...query, parent: { application: params.id } });
  },

  async createAssetExclusion({ connections, table, params, body }) {
    await table.get(applications, params.id);
    return createExclusion({ connections, table }, params.id, body);
  },

  deleteAssetExclusion: ({ connections, table, params: { id, exclusion_id: exclusionId } }) =>
    retry(async () => {
      await table.get(applications, id);
      const exclusion = await table.get(applicationExclusions, exclusionId, true);
      if (exclusion.applicationId !== id) throw notFound('application exclusion', exclusionId);
      await removeExclusion({ connections, table }, exclusion);
      return { id: exclusionId, deletedAt: now() };
    }),
};
