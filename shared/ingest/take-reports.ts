import type * as z from 'zod';
import { ApiError, invalid } from '#shared/platform/runtime/errors.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import type { ReportFile } from '#shared/scanning/scanners/scanner.ts';
import { acceptReport } from './accept.ts';
import type { Scan, Submission } from './submission.ts';

type Report = z.infer<typeof ReportFile>;

/** The errors of a report that would be the same if it were sent again: the attempt has failed. */
const LASTING: readonly string[] = ['unsupported_format', 'payload_too_large', 'validation_failed'];

type MachineReports = {
  reports: readonly Report[];
  scanOf: (n: number) => Scan;
  /** The id of the task that reads the n-th report. It follows from the attempt: reports sent again queue nothing twice. */
  idOf: (n: number) => string;
};

/** Passes the reports of a machine (`table`) to the ingest of the organization whose task it worked on (`owner`). */
export async function takeReports(
  { connections, table, owner }: Context & { owner: Table },
  { reports, scanOf, idOf }: MachineReports,
) {
  const ingestTaskIds: string[] = [];
  try {
    for (const [n, report] of reports.entries()) {
      const { format } = report;
      const of = { format, report: contentOf(report), taskId: idOf(n), caller: table };
      await acceptReport({ connections, table: owner }, { ...scanOf(n), ...of });
      ingestTaskIds.push(idOf(n));
    }
  } catch (error) {
    if (!(error instanceof ApiError && LASTING.includes(error.code))) throw error;
    return { ingestTaskIds, refusal: { code: error.code, message: error.message } };
  }
  return { ingestTaskIds };
}

/** The content of a report: inline, or uploaded before. @throws validation_failed */
function contentOf({ content, uploadId, encoding }: Report): Submission['report'] {
  if (content !== undefined && uploadId === undefined) return { content, encoding };
  if (uploadId !== undefined && content === undefined) return { uploadId };
  throw invalid('reports', 'give each report either content or uploadId');
}
