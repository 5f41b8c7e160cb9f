import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import '../../style/integrations.css';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { deliveries as words } from '../../texts/deliveries.ts';
import { texts } from '../../texts.ts';
import { DeliveryPage } from './delivery-page.tsx';
import { NEWEST, SentList } from './sent-list.tsx';

const FAILURES: ('failed' | 'dead')[] = ['failed', 'dead'];

/** Everything, or only what was not delivered. */
const useSent = question((shown) =>
  answerOf(
    client.GET('/api/v1/deliveries', {
      params: { query: { limit: NEWEST, ...(shown === 'failed' && { status: FAILURES }) } },
    }),
  ),
);

function Deliveries() {
  const shown = useSignal<'all' | 'failed'>('all');
  const asked = useSent(shown.value);
  return (
    <div class="page">
      <nav class="crumbs" aria-label={texts.detail.crumbs}>
        <Link href="/integrations">{texts.screens.integrations}</Link>
      </nav>
      <h1>{texts.screens.deliveries}</h1>
      <SentList asked={asked}>
        <select
          aria-label={words.show}
          value={shown.value}
          onChange={({ currentTarget }) => {
            shown.value = currentTarget.value === 'failed' ? 'failed' : 'all';
          }}
        >
          <option value="all">{words.every}</option>
          <option value="failed">{words.failed}</option>
        </select>
      </SentList>
    </div>
  );
}

export const parts = { List: Deliveries, Page: DeliveryPage, ahead: () => useSent.ahead('all') };
