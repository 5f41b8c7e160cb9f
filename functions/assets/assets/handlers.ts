import { assets } from '#shared/assets/asset/asset.ts';
import { EXPORT_ASSETS } from '#shared/assets/asset/export.ts';
import { assetViews } from '#shared/assets/asset/view.ts';
import { deleteAsset } from '#shared/exposure/asset-actions/delete.ts';
import { queueMerge } from '#shared/exposure/asset-actions/merge.ts';
import { newReturnTask, queueRetirement, retiredSince } from '#shared/exposure/asset-actions/retire.ts';
import { queueMergeUndo } from '#shared/exposure/asset-actions/undo.ts';
import { updateAsset } from '#shared/exposure/asset-actions/update.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { exportFile, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { queueNewTask } from '#shared/platform/jobs/outbox.ts';
import { conflict } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { wakeViewsSoon } from '#shared/platform/views/wake.ts';
import { createAsset } from './create-asset.ts';
import { type AssetQuery, assetQuery, assetSelection } from './filter.ts';
import { listAssetHistory } from './history.ts';
import { acceptSuggestion, dismissSuggestion, listSuggestions } from './merge-suggestions.ts';
import type { assetRoutes } from './routes.ts';
import { assetWithLists } from './with-lists.ts';

const list = async ({ table, caller, query }: { table: Table; caller: Caller; query: AssetQuery }) =>
  showPage(table.list(assets, await assetQuery({ table, caller }, query)), (some) => assetViews(table, some));

export const assetHandlers: Handlers<typeof assetRoutes> = {
  listAssets: list,
  searchAssets: list,
  async createAsset({ connections, table, caller, body }) {
    const asset = await createAsset(table, caller, body);
    await wakeViewsSoon({ connections, table });
    return assetWithLists(table, asset);
  },
  getAsset: async ({ table, params }) => assetWithLists(table, await table.get(assets, params.id)),
  listAssetHistory: ({ table, params, query }) => listAssetHistory(table, params.id, query),
  async updateAsset({ connections, table, caller, params, body, ifMatch }) {
    const asset = await updateAsset({ connections, table, caller }, { id: params.id, patch: body, ifMatch });
    await wakeViewsSoon({ connections, table });
    return assetWithLists(table, asset);
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
    return queueRetirement({ connections, table }, [asset]);
  },

  async returnAsset({ connections, table, params }) {
    const retiredAt = await retiredSince(table, params.id);
    return queueNewTask({ connections, table }, newReturnTask(table, params.id, retiredAt));
  },

  mergeAssets: ({ connections, table, params, body }) =>
    queueMerge({ connections, table }, { assetId: params.id, intoId: body.intoId }),

  listMergeSuggestions: ({ table, query }) => listSuggestions(table, query),
  acceptMergeSuggestion: ({ connections, table, params }) => acceptSuggestion({ connections, table }, params.id),
  dismissMergeSuggestion: ({ table, params }) => dismissSuggestion(table, params.id),

  undoAssetMerge: ({ connections, table, params }) => queueMergeUndo({ connections, table }, params.taskId),

  async deleteAsset(call) {
    await call.table.get(assets, call.params.id);
    return withSecondPerson(call, () => deleteAsset(call, call.params.id));
  },
};
