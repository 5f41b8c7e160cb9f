import { Link } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { TicketingConnection } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf } from '../../parts/format.ts';
import { integrations as words } from '../../texts/integrations.ts';
import { ConnectionActions } from './actions.tsx';
import { stateOf } from './connections.ts';
import { Deliveries, NEWEST } from './deliveries.tsx';
import { Frame } from './frame.tsx';

const at = (id: string) => ({ params: { path: { id } } });

const useConnection = question((id) => answerOf(client.GET('/api/v1/ticketing/connections/{id}', at(id))));
const useDeliveries = question((id) =>
  answerOf(
    client.GET('/api/v1/ticketing/connections/{id}/deliveries', {
      params: { path: { id }, query: { limit: NEWEST } },
    }),
  ),
);

const change = ({ id, version }: TicketingConnection, body: { enabled?: boolean; token?: string }) =>
  answerOf(
    client.PATCH('/api/v1/ticketing/connections/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
  );

/** A connection with Jira, with the events that it has sent. */
export function TicketingPage({ id }: { id: string }) {
  const { data: jira, error, ask } = useConnection(id);
  const deliveries = useDeliveries(id);
  return (
    <Frame
      asked={{ ...(error && { error }), ask }}
      known={jira && { name: jira.name, state: stateOf(jira), system: words.systems[jira.edition], error: jira.error }}
      actions={
        jira && (
          <ConnectionActions
            enabled={jira.enabled}
            change={(body) => change(jira, body)}
            test={() => answerOf(client.POST('/api/v1/ticketing/connections/{id}/test', at(id)))}
            rotate={() => answerOf(client.POST('/api/v1/ticketing/connections/{id}/secret', at(id)))}
          />
        )
      }
      facts={
        jira && (
          <>
            <Facts
              rows={[
                [words.address, jira.baseUrl],
                [words.account, jira.account],
                [words.access, words.accesses[jira.access]],
                [words.webhook, <code key="webhook">{jira.webhookUrl}</code>],
                [words.secretAge, agoOf(jira.secretUpdatedAt)],
                [words.last, jira.lastDeliveryAt ? agoOf(jira.lastDeliveryAt) : words.never],
                [words.read, jira.lastSyncAt && agoOf(jira.lastSyncAt)],
              ]}
            />
            <Link href={`/tickets?connectionId=${id}`}>{words.tickets}</Link>
          </>
        )
      }
      remove={() => answerOf(client.DELETE('/api/v1/ticketing/connections/{id}', at(id)))}
    >
      <Deliveries
        asked={deliveries}
        aboutOf={({ issue }) => issue}
        replay={(deliveryId) =>
          answerOf(
            client.POST('/api/v1/ticketing/connections/{id}/deliveries/{deliveryId}/replay', {
              params: { path: { id, deliveryId } },
            }),
          )
        }
      />
    </Frame>
  );
}
