import * as z from 'zod';
import type { Repository } from '#shared/entities/repository.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import { fieldAt } from '#shared/reports/json.ts';
import type { HostEvent } from './event.ts';

const Input = z.object({ importTaskId: z.uuid() });

/** Imports one alert as a report, which closes nothing. A delivery that is worked again imports it once. */
export async function importAlert(
  { body, hosted, task }: HostEvent,
  repository: Repository,
  ref: string | undefined,
): Promise<void> {
  const { connections, table } = hosted;
  const content = JSON.stringify([{ ...Object(fieldAt(body, 'alert')), repository: fieldAt(body, 'repository') }]);
  await acceptReport(connections, table, {
    ...{ source: 'import', format: 'github-alerts', report: { content }, closeMissing: false },
    ...{ target: { type: 'repository', value: repository.url }, ref, taskId: Input.parse(task.input).importTaskId },
  });
}
