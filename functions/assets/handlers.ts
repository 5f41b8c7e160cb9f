import type { Handlers } from '#shared/http/route.ts';
import { deleteAsset } from './delete-asset.ts';
import type { assetRoutes } from './routes.ts';

export const assetHandlers: Handlers<typeof assetRoutes> = {
  deleteAsset: ({ connections, table, params }) => deleteAsset(connections, table, params.id),
};
