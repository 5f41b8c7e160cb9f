import { ALARM_SCOPE, type Alarm, alarms } from '#shared/machines/alarms.ts';
import type { Dynamo } from '#shared/table/client.ts';
import { openTable } from '#shared/table/table.ts';

/** The machine has gone, or set itself another alarm. */
export async function dropAlarm(dynamo: Dynamo, alarm: Alarm): Promise<void> {
  await openTable(dynamo, ALARM_SCOPE).rows(alarms).remove(alarm);
}
