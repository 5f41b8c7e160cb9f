import type { Dynamo } from '#shared/runtime/dynamo.ts';
import { GLOBAL_SCOPE } from '#shared/table/layout/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { type Alarm, alarms } from '#shared/timers/timers.ts';

/** The machine has gone, or set itself another alarm. */
export async function dropAlarm(dynamo: Dynamo, alarm: Alarm): Promise<void> {
  await openTable(dynamo, GLOBAL_SCOPE).rows(alarms).remove(alarm);
}
