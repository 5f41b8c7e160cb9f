import { type DeliveryRow, newDelivery } from '#shared/platform/outgoing/delivery.ts';
import type { Waiting } from './waiting.ts';

/** The type of the deliveries of messages. */
const MESSAGE = 'notification.message';

/** A message in the ledger of deliveries: each has its row before it is sent, and the same id when it is sent again. */
export const messageDelivery = (
  { source, receiverId, until, change }: Waiting,
  { channel, payload }: { channel: DeliveryRow['channel']; payload: object },
): DeliveryRow =>
  newDelivery({
    targetId: source,
    id: `${String(until || change).padStart(12, '0')}-${receiverId}`,
    channel,
    type: MESSAGE,
    subject: receiverId === source ? `subscription/${source}` : `user/${receiverId}`,
    payload: JSON.stringify(payload),
  });
