import { EVENT_TYPES, isWanted } from '#shared/events/catalogue.ts';
import { eventsOf } from '#shared/events/event.ts';
import type { Announced } from '#shared/platform/feed/log.ts';
import { readChanges } from '#shared/platform/feed/read-changes.ts';
import { isVisible } from '#shared/platform/feed/visible.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import type { eventRoutes } from './routes.ts';

type Routes = typeof eventRoutes;

async function listEvents({ table, caller, query }: Call<Routes['listEvents']>) {
  const { since, limit, types = [] } = query;
  const seenBy = (announced: Announced) =>
    announced.change && isVisible(caller, announced.change)
      ? eventsOf(table.organizationId, announced).filter(({ type }) => isWanted(types, type))
      : [];
  const { found, next, more } = await readChanges(table, { since, limit }, (change) => seenBy(change).length > 0);
  return { data: found.flatMap(seenBy), next, more };
}

export const eventHandlers: Handlers<Routes> = {
  listEvents,
  listEventTypes: async () => ({ data: EVENT_TYPES.map(({ type, entity, about }) => ({ type, entity, about })) }),
};
