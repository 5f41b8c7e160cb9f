import type * as z from 'zod';
import type { ApexTask } from '#shared/entities/apex-task.ts';
import type { ReportFile } from '#shared/entities/scanner.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import type { Scan, Submission } from '#shared/ingest/submission.ts';
import type { Connections } from '#shared/runtime/connections.ts';
import { ApiError, invalid } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';

type Report = z.infer<typeof ReportFile>;
/** `table` is the appliance's organization, `owner` that of the task. */
type From = { connections: Connections; table: Table; owner: Table };
type Reports = { task: ApexTask; reports: readonly Report[]; idOf: (n: number) => string };

/** The errors of a report that would be the same if it were sent again. */
const LASTING: readonly string[] = ['unsupported_format', 'payload_too_large', 'validation_failed'];

/** Hands reports to the ingest, under ids that follow from the attempt: sent again they queue nothing twice. */
export async function takeReports({ connections, table, owner }: From, { task, reports, idOf }: Reports) {
  const ingestTaskIds: string[] = [];
  try {
    for (const [n, report] of reports.entries()) {
      const taskId = idOf(n);
      const scan = scanOf(task, zoneOf(task));
      const { format } = report;
      await acceptReport(connections, owner, { ...scan, format, report: contentOf(report), taskId, caller: table });
      ingestTaskIds.push(taskId);
    }
  } catch (error) {
    if (!(error instanceof ApiError && LASTING.includes(error.code))) throw error;
    return { ingestTaskIds, refusal: { code: error.code, message: error.message } };
  }
  return { ingestTaskIds };
}

/** @throws validation_failed */
function contentOf({ content, uploadId, encoding }: Report): Submission['report'] {
  if (content !== undefined && uploadId === undefined) return { content, encoding };
  if (uploadId !== undefined && content === undefined) return { uploadId };
  throw invalid('reports', 'give each report either content or uploadId');
}

/** A report says nothing of zones: it speaks of the one in which all targets of the task lie. */
function zoneOf({ targets, zone }: ApexTask): string | null {
  const [first = zone, ...more] = new Set(targets.map((target) => target.zone));
  return more.length === 0 ? first : zone;
}

/** What was looked at, by the stored task. What an appliance does not mention is not gone for that. */
export const scanOf = (task: ApexTask, zone: string | null): Scan => ({
  source: 'apex',
  targets: task.targets.map(({ type, value }) => ({ type, value })),
  zone,
  scanType: `apex:${task.engagementId}`,
  closeMissing: false,
  engagementId: task.engagementId,
});
