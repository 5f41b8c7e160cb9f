import * as z from 'zod';
import type { Repository } from '#shared/code/repositories/repository.ts';
import { acceptReport } from '#shared/ingest/accept.ts';
import { secondsAfter } from '#shared/platform/runtime/clock.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import type { Effect, HostEvent } from './event.ts';

const Input = z.object({ importTaskId: z.uuid() });

/** An alert as an event reports it. */
type AnnouncedAlert = {
  /** Its kind and number at the code host. */
  name: string;
  /** The branch, where the host reports it. */
  ref?: string | undefined;
  isOpen: boolean;
  /** Whether this is the first event of the alert. When it comes after the end of the alert, it brings nothing new. */
  isFirst: boolean;
  /** The time of the alert's state, where the host reports it. */
  at?: string | undefined;
  report: { format: string; content: object };
};

type AlertRow = { repositoryId: string; name: string; isOpen: boolean; at?: string | undefined; keptAt: string };

const KEPT_SECONDS = 400 * 86_400;

export const hostAlerts = defineRow<AlertRow, Pick<AlertRow, 'repositoryId' | 'name'>>({
  name: 'host-alert',
  about: 'the last state of an alert of a code host, by which older events are known',
  key: ({ repositoryId, name }) => [repositoryId, name],
  expiresAt: ({ keptAt }) => secondsAfter(keptAt, KEPT_SECONDS),
});

/**
 * Imports an alert as the report of a scan that looks only for this alert. So the report of its end, which has no
 * problem, is the proof that closes its finding, and closes no other. A delivery that is worked again imports the alert
 * once.
 */
export async function importAlert(
  { hosted, task }: HostEvent,
  repository: Repository,
  alert: AnnouncedAlert,
): Promise<Effect> {
  const { connections, table, receivedAt: keptAt } = hosted;
  const { name, ref, isOpen, isFirst, at, report } = alert;
  const rows = table.rows(hostAlerts);
  const row = { repositoryId: repository.id, name: `${name}#${ref ?? ''}`, isOpen, at, keptAt };
  const current = await rows.find(row, true);
  const isOlder = at !== undefined && current?.at !== undefined && at < current.at;
  if (current && (isOlder || (isFirst && !current.isOpen))) return { ignored: 'the alert has changed since' };
  await rows.put(row);
  await acceptReport(
    { connections, table },
    {
      source: 'import',
      format: report.format,
      report: { content: JSON.stringify(report.content) },
      target: { type: 'repository', value: repository.url },
      scanType: name,
      outcome: 'completed',
      ref,
      taskId: Input.parse(task.input).importTaskId,
    },
  );
  return [isOpen ? 'alert_imported' : 'alert_closed'];
}
