import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Integration } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf } from '../../parts/format.ts';
import { integrations as words } from '../../texts/integrations.ts';
import { ConnectionActions } from './actions.tsx';
import { stateOf } from './connections.ts';
import { Deliveries, NEWEST } from './deliveries.tsx';
import { Frame } from './frame.tsx';

const at = (id: string) => ({ params: { path: { id } } });

const useHost = question((id) => answerOf(client.GET('/api/v1/integrations/{id}', at(id))));
const useDeliveries = question((id) =>
  answerOf(client.GET('/api/v1/integrations/{id}/deliveries', { params: { path: { id }, query: { limit: NEWEST } } })),
);

const change = ({ id, version }: Integration, body: { enabled?: boolean; token?: string }) =>
  answerOf(
    client.PATCH('/api/v1/integrations/{id}', {
      params: { path: { id } },
      headers: { 'if-match': `"${version}"` },
      body,
    }),
  );

/** A code host with what it has sent. */
export function HostPage({ id }: { id: string }) {
  const { data: host, error, ask } = useHost(id);
  const deliveries = useDeliveries(id);
  return (
    <Frame
      asked={{ ...(error && { error }), ask }}
      known={host && { name: host.name, state: stateOf(host), system: words.systems[host.kind], error: host.error }}
      actions={
        host && (
          <ConnectionActions
            enabled={host.enabled}
            change={(body) => change(host, body)}
            test={() => answerOf(client.POST('/api/v1/integrations/{id}/test', at(id)))}
            rotate={() => answerOf(client.POST('/api/v1/integrations/{id}/secret', at(id)))}
            {...(host.access !== 'none' && {
              sync: () => answerOf(client.POST('/api/v1/integrations/{id}/sync', at(id))),
            })}
          />
        )
      }
      facts={
        host && (
          <Facts
            rows={[
              [words.account, host.account],
              [words.address, host.baseUrl],
              [words.access, words.accesses[host.access]],
              [words.webhook, <code key="webhook">{host.webhookUrl}</code>],
              [words.secretAge, agoOf(host.secretUpdatedAt)],
              [words.last, host.lastDeliveryAt ? agoOf(host.lastDeliveryAt) : words.never],
              [words.read, host.lastSyncAt && agoOf(host.lastSyncAt)],
            ]}
          />
        )
      }
      remove={() => answerOf(client.DELETE('/api/v1/integrations/{id}', at(id)))}
    >
      <Deliveries
        asked={deliveries}
        aboutOf={({ repository }) => repository}
        replay={(deliveryId) =>
          answerOf(
            client.POST('/api/v1/integrations/{id}/deliveries/{deliveryId}/replay', {
              params: { path: { id, deliveryId } },
            }),
          )
        }
      />
    </Frame>
  );
}
