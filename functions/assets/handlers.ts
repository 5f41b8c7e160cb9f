import { deleteAsset } from '#shared/assets/delete.ts';
import { EXPORT_ASSETS } from '#shared/assets/export.ts';
import { queueRetirement } from '#shared/assets/retire.ts';
import { updateAsset } from '#shared/assets/update.ts';
import { assetViews, assetWithMerges } from '#shared/assets/view.ts';
import type { Caller } from '#shared/auth/permissions.ts';
import { assets } from '#shared/entities/asset.ts';
import { exportFile, fileAnswer } from '#shared/findings/exported-file.ts';
import { queueMerge } from '#shared/findings/merges/merge.ts';
import { queueMergeUndo } from '#shared/findings/merges/undo.ts';
import { showPage } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import { conflict } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { wakeViewsSoon } from '#shared/views/wake.ts';
import { createAsset } from './create-asset.ts';
import { type AssetQuery, assetQuery, assetSelection } from './filter.ts';
import { listAssetHistory } from './history.ts';
import { acceptSuggestion, dismissSuggestion, listSuggestions } from './merge-suggestions.ts';
import type { assetRoutes } from './routes.ts';

const list = async ({ table, caller, query }: { table: Table; caller: Caller; query: AssetQuery }) =>
  showPage(table.list(assets, await assetQuery({ table, caller }, query)), (some) => assetViews(table, some));

export const assetHandlers: Handlers<typeof assetRoutes> = {
  listAssets: list,
  searchAssets: list,
  async createAsset({ connections, table, caller, body }) {
    const asset = await createAsset(table, caller, body);
    await wakeViewsSoon({ connections, table });
    return assetWithMerges(table, asset);
  },
  getAsset: async ({ table, params }) => assetWithMerges(table, await table.get(assets, params.id)),
  listAssetHistory: ({ table, params, query }) => listAssetHistory(table, params.id, query),
  async updateAsset({ connections, table, caller, params, body, ifMatch }) {
    const asset = await updateAsset({ connections, table, caller }, { id: params.id, patch: body, ifMatch });
    await wakeViewsSoon({ connections, table });
    return assetWithMerges(table, asset);
  },

  async exportAssets({ connections, table, caller, query, body: { filter, ...input } }) {
    const selection = await assetSelection({ table, caller }, filter);
    return exportFile({ connections, table }, EXPORT_ASSETS, { ...query, input: { ...input, selection } });
  },
  getAssetsExport: ({ connections, table, params, query }) =>
    fileAnswer({ connections, table }, EXPORT_ASSETS, { ...params, ...query }),

  async retireAsset({ connections, table, params }) {
    const asset = await table.get(assets, params.id, true);
    if (asset.retiredAt) throw conflict(`The asset ${asset.id} is retired since ${asset.retiredAt}.`);
    if (asset.agentId) throw conflict(`The agent ${asset.agentId} reports on this asset: delete the agent first.`);
    return queueRetirement(connections, table, [asset]);
  },

  mergeAssets: ({ connections, table, params, body }) =>
    queueMerge(connections, table, { assetId: params.id, intoId: body.intoId }),

  listMergeSuggestions: ({ table, query }) => listSuggestions(table, query),
  acceptMergeSuggestion: ({ connections, table, params }) => acceptSuggestion(connections, table, params.id),
  dismissMergeSuggestion: ({ table, params }) => dismissSuggestion(table, params.id),

  undoAssetMerge: ({ connections, table, params }) => queueMergeUndo(connections, table, params.taskId),

  deleteAsset: ({ connections, table, params }) => deleteAsset(connections, table, params.id),
};
