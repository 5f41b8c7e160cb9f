import { cancelExport, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { EXPORT_EVENTS } from '#shared/soc/hunting/export.ts';
import { exportEvents } from './export-events.ts';
import type { siemExportRoutes } from './routes.ts';

export const siemExportHandlers: Handlers<typeof siemExportRoutes> = {
  exportEvents: ({ connections, table, query, body }) => exportEvents({ connections, table }, { ...query, body }),

  getEventsExport: ({ connections, table, params, query }) =>
    fileAnswer({ connections, table }, EXPORT_EVENTS, { ...params, ...query }),

  cancelEventsExport: ({ table, params }) => cancelExport(table, EXPORT_EVENTS, params.taskId),
};
