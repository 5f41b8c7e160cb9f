import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import '../../style/integrations.css';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { FilterBar } from '../../filter/filter-bar.tsx';
import { deliveries as words } from '../../texts/deliveries.ts';
import { texts } from '../../texts.ts';
import { DeliveryPage } from './delivery-page.tsx';
import { NEWEST, SentList } from './sent-list.tsx';

type Shown = { isFailed?: boolean; filter?: string };

/** Everything, or only what was not delivered and fits. */
const useSent = question((asked) => {
  const { isFailed, filter }: Shown = JSON.parse(asked);
  const status: ('failed' | 'dead')[] = ['failed', 'dead'];
  const query = { limit: NEWEST, ...(isFailed && { status }), ...(filter && { filter }) };
  return answerOf(client.GET('/api/v1/deliveries', { params: { query } }));
});

function Deliveries() {
  const shown = useSignal<Shown>({});
  const { isFailed = false, filter = '' } = shown.value;
  const asked = useSent(JSON.stringify(shown.value));
  const show = (next: Shown) => {
    shown.value = { ...shown.value, ...next };
  };
  return (
    <div class="page">
      <nav class="crumbs" aria-label={texts.detail.crumbs}>
        <Link href="/integrations">{texts.screens.integrations}</Link>
      </nav>
      <h1>{texts.screens.deliveries}</h1>
      <SentList asked={asked}>
        <FilterBar entity="delivery" hint={words.filterHint} filter={filter} apply={(next) => show({ filter: next })} />
        <button type="button" class="button" aria-pressed={isFailed} onClick={() => show({ isFailed: !isFailed })}>
          {words.failed}
        </button>
      </SentList>
    </div>
  );
}

export const parts = { List: Deliveries, Page: DeliveryPage, ahead: () => useSent.ahead('{}') };
