import { EXAMPLE_ID, type Fields, type Filtered } from '../filter/fields.ts';
import { caseless } from '../runtime/texts.ts';
import { marksFrom } from '../table/layout/marks.ts';
import { CHANNELS, type SentDelivery, STATES } from './delivery.ts';

/** The fields of filters of deliveries. */
const fields: Fields = {
  status: { kind: 'choice', mark: 'status', values: STATES, about: 'the status', example: 'failed,dead' },
  channel: { kind: 'choice', mark: 'channel', values: CHANNELS, about: 'the channel', example: 'slack,teams' },
  type: {
    kind: 'value',
    mark: 'type',
    spelled: caseless,
    about: 'the type of the event, the message or the call',
    example: 'finding.created',
  },
  about: {
    kind: 'value',
    mark: 'about',
    spelled: caseless,
    about: 'the kind of the record that it is about; of a message to a person, `user`',
    example: 'finding',
  },
  record: { kind: 'value', mark: 'record', about: 'the id of this record or person', example: EXAMPLE_ID },
  target: {
    kind: 'value',
    mark: 'target',
    about: 'the id of the endpoint, the subscription, the connection or the integration',
    example: EXAMPLE_ID,
  },
  created: { kind: 'day', order: 'created', about: 'the day on which it was made', example: '7d' },
  sent: { kind: 'day', order: 'sent', about: 'the day on which it arrived', example: '2026-11' },
};

export const deliveryFilter: Filtered = { entity: 'delivery', fields: () => fields };

/** The marks that an index would have of a delivery: the ledger reads its rows in order and tries the filter on each. */
export function marksOfDelivery({
  status,
  channel,
  type,
  subject,
  targetId,
  createdAt,
  sentAt,
}: SentDelivery): string[] {
  const [about = '', record = ''] = subject.split('/');
  return marksFrom(
    { status, channel, type: caseless(type), about: caseless(about), record, target: targetId },
    { created: createdAt.slice(0, 10), sent: sentAt?.slice(0, 10) },
  );
}
