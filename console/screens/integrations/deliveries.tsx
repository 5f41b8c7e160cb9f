import '../../style/integrations.css';
import type { Refused } from '../../api/client.ts';
import type { Delivery } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Act, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { integrations } from '../../texts/integrations.ts';

const words = integrations.deliveries;

/** The newest deliveries that a page shows. */
export const NEWEST = 100;

type Common = Pick<Delivery, 'deliveryId' | 'event' | 'receivedAt' | 'status' | 'outcome' | 'error'> & {
  action?: string | null;
};

type DeliveriesProps<T extends Common> = {
  asked: { data?: { data: readonly T[]; next: string | null }; error?: Refused; ask: () => void };
  aboutOf: (delivery: T) => string | null;
  replay: (deliveryId: string) => Promise<unknown>;
};

const isBroken = ({ status }: Common): boolean => status === 'failed';

/** The events that the other system has sent, with their outcomes. A failed delivery is processed again when its cause is mended. */
export function Deliveries<T extends Common>({ asked, aboutOf, replay }: DeliveriesProps<T>) {
  const rows = asked.data?.data.toSorted((one, other) => Number(isBroken(other)) - Number(isBroken(one)));
  const columns: TableColumn<T>[] = [
    { label: words.when, cell: ({ receivedAt }) => agoOf(receivedAt) },
    { label: words.event, cell: ({ event, action }) => [event, action].filter(Boolean).join(': ') },
    { label: words.about, cell: (row) => aboutOf(row) ?? <span class="soft">–</span> },
    {
      label: words.state,
      cell: ({ status }) => <span class={`status status-${status}`}>{words.statuses[status]}</span>,
    },
    { label: words.outcome, cell: (row) => <Outcome delivery={row} /> },
    {
      label: words.actions,
      cell: ({ deliveryId, status }) =>
        (status === 'failed' || status === 'succeeded') && (
          <Act label={words.replay} done={words.replayed} run={() => replay(deliveryId)} />
        ),
    },
  ];
  return (
    <div class="deliveries">
      <Listing
        {...words}
        words={words}
        asked={{ ...asked, ...(rows && { data: { data: rows } }) }}
        columns={columns}
        keyOf={({ deliveryId }) => deliveryId}
      />
      {rows && asked.data?.next && <p class="note">{words.only(rows.length)}</p>}
    </div>
  );
}

const Outcome = ({ delivery: { outcome, error } }: { delivery: Common }) => {
  if (error) return <span class="overdue small">{error.message}</span>;
  if (!outcome) return <span class="soft">–</span>;
  if (outcome.outcome === 'ignored') return <span class="soft small">{outcome.reason ?? words.ignored}</span>;
  return <span class="small">{outcome.effects.join(', ')}</span>;
};
