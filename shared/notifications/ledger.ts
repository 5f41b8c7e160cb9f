import { type DeliveryRow, newDelivery } from '#shared/platform/outgoing/delivery.ts';
import { slackMessage, teamsMessage } from './chat.ts';
import type { Waiting } from './waiting.ts';

/** The type of the deliveries of messages. */
const MESSAGE = 'notification.message';

/** A message with its receiver, before it is sent. */
type Message = Omit<Waiting, 'dueAt' | 'sending'>;

/** A letter or a notification in the ledger of deliveries. */
export function personDelivery(message: Message): DeliveryRow {
  const { channels, reason, count, lines } = message;
  const channel = channels.includes('email') ? 'email' : 'inbox';
  return deliveryOf(message, { channel, payload: { reason, channels, count, lines } });
}

/** A message to a chat in the ledger of deliveries. */
export function chatDelivery(message: Message, baseUrl: string): DeliveryRow {
  const channel = message.channels.includes('slack') ? 'slack' : 'teams';
  const payload = (channel === 'slack' ? slackMessage : teamsMessage)(message, baseUrl);
  return deliveryOf(message, { channel, payload });
}

/** Each message has its row before it is sent, and the same id when it is sent again. */
const deliveryOf = (
  { source, receiverId, until, change }: Message,
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
