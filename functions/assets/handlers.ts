import { queueMerge } from '#shared/findings/merges/merge.ts';
import { queueMergeUndo } from '#shared/findings/merges/undo.ts';
import type { Handlers } from '#shared/http/route.ts';
import { deleteAsset } from './delete-asset.ts';
import type { assetRoutes } from './routes.ts';

export const assetHandlers: Handlers<typeof assetRoutes> = {
  mergeAssets: ({ connections, table, params, body }) =>
    queueMerge(connections, table, { assetId: params.id, intoId: body.intoId }),

  undoAssetMerge: ({ connections, table, params }) => queueMergeUndo(connections, table, params.taskId),

  deleteAsset: ({ connections, table, params }) => deleteAsset(connections, table, params.id),
};
