import { cancelExport, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { EXPORT_EVENTS } from '#shared/soc/hunting/export.ts';
import { exportEvents } from './export-events.ts';
import type { siemSearchRoutes } from './routes.ts';
import { countValues, estimateEvents, searchEvents } from './search.ts';

export const siemSearchHandlers: Handlers<typeof siemSearchRoutes> = {
  searchEvents: ({ connections, table, query }) => searchEvents({ connections, table }, query),

  countEventValues: ({ connections, table, query }) => countValues({ connections, table }, query),

  estimateEvents: ({ connections, table, query }) => estimateEvents({ connections, table }, query),

  exportEvents: ({ connections, table, query, body }) => exportEvents({ connections, table }, { ...query, body }),

  getEventsExport: ({ connections, table, params, query }) =>
    fileAnswer({ connections, table }, EXPORT_EVENTS, { ...params, ...query }),

  cancelEventsExport: ({ table, params }) => cancelExport(table, EXPORT_EVENTS, params.taskId),
};
