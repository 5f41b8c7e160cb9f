import type { Dynamo } from '#shared/platform/runtime/dynamo.ts';
import { systemActor } from '#shared/platform/table/actor.ts';
import { openTable, type Table } from '#shared/platform/table/table.ts';
import type { Timer } from '#shared/platform/timers/timers.ts';

/** The table of the timer's organization; changes name the kind of the timer as their cause. */
export const tableOf = (dynamo: Dynamo, { organizationId, kind }: Timer): Table =>
  openTable(dynamo, organizationId, { ...systemActor, cause: { operation: `timer-${kind}` } });
