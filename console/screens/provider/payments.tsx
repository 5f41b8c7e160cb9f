import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { texts } from '../../texts.ts';
import { Deliveries, NEWEST } from '../integrations/deliveries.tsx';

const useDeliveries = question(() =>
  answerOf(client.GET('/api/v1/billing/deliveries', { params: { query: { limit: NEWEST } } })),
);

/** The events of the payment processor with their outcomes. A failed event is processed again when its cause is mended. */
const Payments = () => (
  <div class="page">
    <h1>{texts.screens.payments}</h1>
    <Deliveries
      asked={useDeliveries('')}
      aboutOf={({ customer }) => customer}
      replay={(deliveryId) =>
        answerOf(client.POST('/api/v1/billing/deliveries/{deliveryId}/replay', { params: { path: { deliveryId } } }))
      }
    />
  </div>
);

export const parts = { List: Payments };
