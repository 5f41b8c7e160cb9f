import type { Handlers } from '#shared/platform/http/route.ts';
import { exportAnswer, queueExport } from './export.ts';
import type { findingExportRoutes } from './routes.ts';

export const findingExportHandlers: Handlers<typeof findingExportRoutes> = {
  exportFindings: ({ connections, table, caller, body, query }) =>
    queueExport({ connections, table, caller }, body, query.waitSeconds),
  getFindingsExport: ({ connections, table, params, query }) =>
    exportAnswer({ connections, table }, { ...params, ...query }),
};
