import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { agoOf } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { deliveries } from '../../texts/deliveries.ts';
import { texts } from '../../texts.ts';
import { SentState } from '../deliveries/sent-list.tsx';

const words = texts.alert;
const MAX_SHOWN = 50;

const useDeliveries = question((id) =>
  answerOf(client.GET('/api/v1/soc/alerts/{id}/deliveries', { params: { path: { id }, query: { limit: MAX_SHOWN } } })),
);

/** Who was notified of an alert, how, and whether it arrived. */
export function AlertDeliveries({ id }: { id: string }) {
  const { data, error, ask } = useDeliveries(id);
  return (
    <Section title={words.notified}>
      {error && <Failed error={error} again={ask} />}
      {!data && !error && <Loading lines={2} />}
      {data?.data.length === 0 && <p class="soft">{words.nobodyNotified}</p>}
      <ul class="related">
        {data?.data.map(({ targetId, id: delivery, to, channel, status, error: failure, reason, createdAt }) => (
          <li key={`${targetId}:${delivery}`}>
            <span>
              {to.name ?? words.gone} <span class="soft">{deliveries.channels[channel]}</span>
              {status !== 'sent' && <span class="soft small block">{failure ?? reason}</span>}
            </span>
            <span class="soft small">
              <SentState status={status} /> {agoOf(createdAt)}
            </span>
          </li>
        ))}
      </ul>
      {data?.next && <p class="note">{deliveries.only(data.data.length)}</p>}
    </Section>
  );
}
