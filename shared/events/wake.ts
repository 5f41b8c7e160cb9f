import type * as z from 'zod';
import type { Announced } from '#shared/platform/feed/log.ts';
import type { jobs } from '#shared/platform/jobs/jobs.ts';
import { sendMessage } from '#shared/platform/jobs/send.ts';
import type { Connections } from '#shared/platform/runtime/connections.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Context } from '#shared/platform/table/context.ts';
import { recordsOf } from '#shared/platform/table/selected.ts';
import { typesOfChange } from './catalogue.ts';
import { webhookEndpoints } from './webhook-endpoint.ts';

/** Has a reader of the log work, or a person's notifications sent. One worker at a time works each, in the order of the log. */
export const wakeReader = (
  { connections, table }: { connections: Pick<Connections, 'queues'>; table: Context['table'] },
  { kind, ...woken }: Woken,
): Promise<void> =>
  sendMessage(
    connections,
    'deliveries',
    { organizationId: table.organizationId, kind, ...woken },
    { group: `${kind}-${woken.readerId}`, deduplicationId: newId(), isApart: woken.apart ?? false },
  );

type Woken = Omit<z.infer<typeof jobs.deliveries.message>, 'organizationId'>;

export const wakeEndpoint = (context: Parameters<typeof wakeReader>[0], endpointId: string): Promise<void> =>
  wakeReader(context, { kind: 'webhook', readerId: endpointId });

/** Wakes the endpoints of an organization when it has events. They read the log themselves. */
export function endpointFollower(context: Context) {
  return async (announced: readonly Announced[]): Promise<void> => {
    if (!announced.some(({ entry, change }) => change && typesOfChange(change, entry.cause).length > 0)) return;
    const endpoints = await recordsOf(context.table, webhookEndpoints);
    for (const { id } of endpoints.filter(({ enabled }) => enabled)) await wakeEndpoint(context, id);
  };
}
