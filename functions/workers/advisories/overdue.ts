import { findings } from '#shared/findings/finding/finding.ts';
import { SOON_DAYS } from '#shared/findings/sla/rating.ts';
import { type Aged, agedSelection } from '#shared/findings/sla/rescoring.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { defineRow } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { notifyOrganizations, queueRescoring } from './notify.ts';

type Run = {
  /** The last due day whose findings are rated as overdue. */
  through?: string;
  /** The days that are being worked, and the organizations that were notified. */
  telling?: { since?: string; to: string; from: number } | undefined;
};

export const overdueRuns = defineRow<Run, object>({
  name: 'overdue-run',
  about: 'the due day up to which findings were rated as overdue',
  key: () => ['all'],
});

const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** After each day (UTC), rates the findings that were due on that day or are due soon now. The first run rates every finding. */
export async function rateOverdue(connections: Connections): Promise<void> {
  const rows = openTable(connections.dynamo, GLOBAL_SCOPE).rows(overdueRuns);
  const run = await rows.find({}, true);
  const yesterday = dayAt(nowMs() - DAY_MS);
  const telling = run?.telling ?? { since: run?.through, to: yesterday, from: 0 };
  if (run?.through === telling.to) return;
  const { since, to } = telling;
  await notifyOrganizations(connections, {
    from: telling.from,
    notify: (table) => notifyAll({ connections, table }, since === undefined ? [{ all: true }] : daysThat(since, to)),
    keep: (from) => rows.put(from === undefined ? { through: to } : { ...run, telling: { ...telling, from } }),
  });
}

/** The due days that are over, and those that are near, since the days of the last run. */
function daysThat(from: string, to: string): Aged[] {
  const near = (day: string) => dayAt(Date.parse(day) + (SOON_DAYS + 1) * DAY_MS);
  return [{ due: { from, to } }, { due: { from: near(from), to: near(to) } }];
}

async function notifyAll(context: Context, all: readonly Aged[]): Promise<void> {
  for (const wanted of all) await notify(context, wanted);
}

/** An organization without such findings gets no task. */
async function notify(context: Context, wanted: Aged): Promise<void> {
  const { totalCount } = await context.table.list(findings, {
    ...agedSelection(wanted),
    paginateFrom: 0,
    paginateSize: 1,
  });
  if (totalCount > 0) await queueRescoring(context, wanted);
}
