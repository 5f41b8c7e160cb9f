import { eachAtOnce } from '#shared/platform/runtime/chunks.ts';
import { DAY_MS, nowMs } from '#shared/platform/runtime/clock.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import { defineRow, putWrite } from '#shared/platform/table/io/row.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import { placedTimer, putTimer, timers } from '#shared/platform/timers/timers.ts';

/** A task that waits for a window of its engagement. A change of the windows finds it by this row. */
type HeldTask = { engagementId: string; taskId: string; until: string };

export const heldTasks = defineRow<HeldTask, Pick<HeldTask, 'engagementId' | 'taskId'>>({
  name: 'apex-held',
  about: 'an Apex task that waits for a window of its engagement',
  key: ({ engagementId, taskId }) => [engagementId, taskId],
  expiresAt: ({ until }) => until,
});

type Held = { id: string; engagementId: string };

const timerOf = ({ organizationId }: Table, id: string, at: number) =>
  ({ kind: 'apex-task', at, organizationId, id }) as const;

/** The writes that make the sweeper settle the task at a time. The row expires a day later. */
export const holdWrites = (table: Table, { id, engagementId }: Held, at: number): Write[] => [
  putTimer(timerOf(table, id, at)),
  putWrite(table.tenant, heldTasks, {
    row: { engagementId, taskId: id, until: new Date(at + DAY_MS).toISOString() },
  }),
];

const AT_ONCE = 25;

/** Has the sweeper settle the held tasks of an engagement now, because its windows were changed. */
export async function wakeHeldTasks(table: Table, engagementId: string): Promise<void> {
  const held = await table.rows(heldTasks).query(engagementId, { consistent: true });
  const rows = openTable(table.dynamo, GLOBAL_SCOPE).rows(timers);
  await eachAtOnce(held, AT_ONCE, ({ taskId }) => rows.put(placedTimer(timerOf(table, taskId, nowMs()))));
}
