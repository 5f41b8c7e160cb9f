import { findingSelection } from '#shared/findings/finding/filter.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { type ExportInput, ExportResult } from '#shared/platform/exports/export.ts';
import { exportFile, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { FindingsExport } from './routes.ts';

type Request = { connections: Connections; table: Table };

const KIND = { operation: 'export_findings' as const, unit: 'findings', result: ExportResult };

/** Queues an export, and waits for its file. The filters are those of the caller: `me` is who asks. @throws validation_failed, limit_exceeded */
export function queueExport(
  { connections, table, caller }: Request & { caller: Caller },
  { format, columns, filter }: FindingsExport,
  waitSeconds = 0,
) {
  if (columns && !['csv', 'jsonl'].includes(format))
    throw invalid('columns', `belongs to csv and jsonl: leave it out for ${format}`);
  const input: ExportInput = { format, selection: findingSelection(filter, caller), ...(columns && { columns }) };
  return exportFile({ connections, table }, KIND, { input, waitSeconds });
}

/** @throws not_found, conflict */
export const exportAnswer = (request: Request, asked: { taskId: string; waitSeconds: number }) =>
  fileAnswer(request, KIND, asked);
