import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { Refused } from '../../api/client.ts';
import type { SentDelivery } from '../../api/types.ts';
import { agoOf } from '../../parts/format.ts';
import { Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { deliveries as words } from '../../texts/deliveries.ts';

const TONES = {
  pending: 'running',
  sent: 'succeeded',
  failed: 'failed',
  dead: 'failed',
  skipped: 'cancelled',
  simulated: 'cancelled',
} as const;

const pathOf = ({ targetId, id }: SentDelivery): string => `/deliveries/${targetId}:${encodeURIComponent(id)}`;

export const SentState = ({ status }: Pick<SentDelivery, 'status'>) => (
  <span class={`status status-${TONES[status]}`}>{words.statuses[status]}</span>
);

function LastAnswer({ delivery: { attempts, reason } }: { delivery: SentDelivery }) {
  const last = attempts.at(-1);
  if (last?.error) return <span class="overdue small">{last.error}</span>;
  return <span class="soft small">{reason ?? last?.status ?? '–'}</span>;
}

const columns: TableColumn<SentDelivery>[] = [
  {
    label: words.type,
    cell: (row) => (
      <>
        <Link class="strong" href={pathOf(row)}>
          {row.type}
        </Link>
        <span class="soft small block">{row.subject}</span>
      </>
    ),
  },
  { label: words.channel, cell: ({ channel }) => words.channels[channel] },
  { label: words.state, cell: ({ status }) => <SentState status={status} /> },
  { label: words.attempts, cell: ({ attempts }) => attempts.length },
  { label: words.answer, cell: (row) => <LastAnswer delivery={row} /> },
  { label: words.when, cell: ({ createdAt }) => agoOf(createdAt) },
];

type SentListProps = {
  asked: { data?: { data: readonly SentDelivery[]; next: string | null }; error?: Refused; ask: () => void };
  lead?: string;
  children?: ComponentChildren;
};

/** The newest deliveries that a page asks for. */
export const NEWEST = 100;

/** The newest deliveries with their state and the last answer; each leads to its page. A note says when there are older ones. */
export const SentList = ({ asked, lead = words.lead, children }: SentListProps) => (
  <div class="deliveries">
    <Listing
      title={words.title}
      lead={lead}
      words={words}
      asked={asked}
      columns={columns}
      keyOf={({ targetId, id }) => `${targetId}:${id}`}
    >
      {children}
    </Listing>
    {asked.data?.next && <p class="note">{words.only(asked.data.data.length)}</p>}
  </div>
);
