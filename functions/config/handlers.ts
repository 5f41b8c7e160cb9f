import { pageOfArray } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { configRoutes } from './routes.ts';
import { configItems } from './settings.ts';

export const configHandlers: Handlers<typeof configRoutes> = {
  listConfig: ({ connections, query }) => pageOfArray(configItems(connections.settings), query),
};
