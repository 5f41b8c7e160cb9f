import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { GLOBAL_SCOPE } from '#shared/platform/table/layout/keys.ts';
import { openTable } from '#shared/platform/table/table.ts';
import { type Timer, timers } from '#shared/platform/timers/timers.ts';

/** The machine has gone, or set itself another timer. */
export async function dropTimer(dynamo: Dynamo, timer: Timer): Promise<void> {
  await openTable(dynamo, GLOBAL_SCOPE).rows(timers).remove(timer);
}
