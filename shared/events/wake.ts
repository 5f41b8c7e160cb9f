import type { Announced } from '#shared/platform/feed/log.ts';
import { sendMessage } from '#shared/platform/jobs/send.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { typesOfChange } from './catalogue.ts';
import { webhookEndpoints } from './webhook-endpoint.ts';

/** Has the events of an endpoint sent. One worker at a time sends them, in their order. */
export const wakeEndpoint = (
  { connections, table }: { connections: Pick<Connections, 'queues'>; table: Context['table'] },
  endpointId: string,
): Promise<void> =>
  sendMessage(
    connections,
    'deliveries',
    { organizationId: table.organizationId, endpointId },
    { group: `endpoint-${endpointId}`, deduplicationId: newId() },
  );

/** Wakes the endpoints of an organization when it has events. They read the log themselves. */
export function endpointFollower(context: Context) {
  return async (announced: readonly Announced[]): Promise<void> => {
    if (!announced.some(({ entry, change }) => change && typesOfChange(change, entry.cause).length > 0)) return;
    const endpoints = await recordsOf(context.table, webhookEndpoints);
    for (const { id } of endpoints.filter(({ enabled }) => enabled)) await wakeEndpoint(context, id);
  };
}
