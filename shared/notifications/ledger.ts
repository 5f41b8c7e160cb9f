import type { DeliveryRow } from '#shared/events/delivery.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import type { Waiting } from './waiting.ts';

/** The type of the deliveries of messages. */
const MESSAGE = 'notification.message';

/** A message in the ledger of deliveries: each has its row before it is sent, and the same id when it is sent again. */
export const messageRow = (row: Waiting, payload: object): DeliveryRow => ({
  endpointId: row.source,
  eventId: `${String(row.until || row.change).padStart(12, '0')}-${row.receiverId}`,
  type: MESSAGE,
  subject: row.receiverId === row.source ? `subscription/${row.source}` : `user/${row.receiverId}`,
  status: 'pending',
  attempts: [],
  createdAt: now(),
  sentAt: null,
  payload: JSON.stringify(payload),
});
