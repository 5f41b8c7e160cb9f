import { isWanted } from '#shared/events/catalogue.ts';
import { eventsOf } from '#shared/events/event.ts';
import { wakeReader } from '#shared/events/wake.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { subscriptions } from './subscription.ts';

/** Wakes the subscriptions of an organization to whose types events belong. They read the log themselves. */
export function subscriptionFollower(context: Context) {
  const { table } = context;
  return async (announced: readonly Announced[]): Promise<void> => {
    const types = new Set(
      announced.flatMap((change) => eventsOf(table.organizationId, change).map(({ type }) => type)),
    );
    if (types.size === 0) return;
    const all = await recordsOf(table, subscriptions);
    for (const { id } of all.filter((one) => one.enabled && [...types].some((type) => isWanted(one.types, type))))
      await wakeReader(context, { kind: 'subscription', readerId: id });
  };
}
