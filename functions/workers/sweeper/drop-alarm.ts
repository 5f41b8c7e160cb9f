import { type Alarm, alarms } from '#shared/machines/alarms.ts';
import type { Dynamo } from '#shared/table/client.ts';
import { GLOBAL_SCOPE } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';

/** The machine has gone, or set itself another alarm. */
export async function dropAlarm(dynamo: Dynamo, alarm: Alarm): Promise<void> {
  await openTable(dynamo, GLOBAL_SCOPE).rows(alarms).remove(alarm);
}
