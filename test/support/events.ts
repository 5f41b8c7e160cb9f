import { type Event, eventsOf } from '#shared/events/event.ts';
import { announcedIn, sheetsAfter } from '#shared/platform/feed/log.ts';
import { numberChanges } from '#shared/platform/feed/number.ts';
import { nowMs, setClock } from '#shared/platform/runtime/clock.ts';
import type { Table } from '#shared/platform/table/table.ts';

/** The events of some types that an organization has, oldest first. The clock goes ahead meanwhile: a change rests for some seconds. */
export async function eventsIn(table: Table, types: RegExp): Promise<Event[]> {
  const at = nowMs();
  setClock(() => at + 10_000);
  await numberChanges(table);
  setClock(() => at);
  const changes = (await sheetsAfter(table, 0, 1000)).flatMap(announcedIn);
  return changes.flatMap((change) => eventsOf(table.organizationId, change)).filter(({ type }) => types.test(type));
}
