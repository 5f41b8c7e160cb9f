import { outboxWrites, sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { newTask, type QueuedResponse, queued } from '#shared/platform/jobs/task.ts';
import type { Batch } from '#shared/platform/table/batch.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { type ReportSettings, reports, seriesOf, sightOf } from './report.ts';

type From = { templateId?: string; scheduleId?: string; also?: (batch: Batch, id: string) => void };

/** Makes a report in one transaction with the task that gathers its facts, and with what the caller writes beside. */
export async function newReport(
  { connections, table }: Context,
  settings: ReportSettings,
  { templateId, scheduleId, also }: From = {},
): Promise<QueuedResponse> {
  const [id = ''] = await table.reserve(reports, 1);
  const resource = { type: 'report', id };
  const input = { reportId: id };
  const task = newTask(table.actor, { operation: 'make_report', job: 'reports', unit: 'sections', input, resource });
  const made = {
    error: null,
    asOf: null,
    factsHash: null,
    headline: null,
    tables: [],
    deliveries: [],
    endpointIds: [],
  };
  const draft = {
    ...settings,
    ...made,
    id,
    status: 'queued' as const,
    taskId: task.id,
    templateId: templateId ?? null,
    scheduleId: scheduleId ?? null,
    sight: sightOf(table.part),
    series: seriesOf(settings),
  };
  await table.create(reports, draft, (batch) => {
    batch.write(...outboxWrites(table, task));
    also?.(batch, id);
  });
  await sendOutbox({ connections, table }, { task });
  return queued(task);
}
