import { findingSelection } from '#shared/findings/finding/filter.ts';
import { findingFilter } from '#shared/findings/finding/filter-fields.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { type ExportInput, ExportResult } from '#shared/platform/exports/export.ts';
import { exportFile, fileAnswer } from '#shared/platform/exports/exported-file.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { FindingsExport } from './routes.ts';

const KIND = { operation: 'export_findings' as const, unit: 'findings', result: ExportResult };

/**
 * Queues an export, and waits for its file. The filters are the caller's: `me` means the caller. @throws
 * validation_failed, limit_exceeded
 */
export async function queueExport(
  { connections, table, caller }: Context & { caller: Caller },
  { format, columns, filter }: FindingsExport,
  waitSeconds = 0,
) {
  if (columns && !['csv', 'jsonl'].includes(format))
    throw invalid('columns', `belongs to csv and jsonl: leave it out for ${format}`);
  const asked = await withMatching({ table, caller }, findingFilter, filter);
  const input: ExportInput = { format, selection: findingSelection(asked, caller), ...(columns && { columns }) };
  return exportFile({ connections, table }, KIND, { input, waitSeconds });
}

/** @throws not_found, conflict */
export const exportAnswer = (context: Context, asked: { taskId: string; waitSeconds: number }) =>
  fileAnswer(context, KIND, asked);
