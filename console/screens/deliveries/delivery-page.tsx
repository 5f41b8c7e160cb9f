import { Link, useParams } from 'wouter-preact';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { SentDelivery } from '../../api/types.ts';
import { Facts } from '../../parts/facts.tsx';
import { agoOf, timeOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { Section } from '../../parts/section.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { Table, type TableColumn } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { deliveries as words } from '../../texts/deliveries.ts';
import { texts } from '../../texts.ts';
import { SentState } from './sent-list.tsx';

const path = '/api/v1/deliveries/{targetId}/{deliveryId}';

/** The parts of the address of a delivery. */
function at(address: string) {
  const [targetId = '', deliveryId = ''] = address.split(/:(.*)/s);
  return { params: { path: { targetId, deliveryId } } };
}

const useDelivery = question((address) => answerOf(client.GET(path, at(address))));

/** A delivery: to whom it went, each attempt, and the buttons that send it again. */
export function DeliveryPage() {
  const { id: address = '' } = useParams();
  const { data, error, ask } = useDelivery(address);
  return (
    <article class="page record-page">
      <nav class="crumbs" aria-label={texts.detail.crumbs}>
        <Link href="/deliveries">{texts.screens.deliveries}</Link>
      </nav>
      <h1>{data?.type ?? texts.screens.deliveries}</h1>
      {!data && (error ? <Failed error={error} again={ask} /> : <Loading lines={8} />)}
      {data && (
        <>
          <div class="drawer-marks">
            <SentState status={data.status} />
            <span class="tag">{words.channels[data.channel]}</span>
          </div>
          <div class="record-columns">
            <div class="record-card">
              <h2 class="unseen">{texts.detail.record}</h2>
              {data.payload !== null && <Buttons delivery={data} address={address} />}
              <About delivery={data} />
              <Section title={words.attempts}>
                {data.attempts.length === 0 ? (
                  <p class="soft">{words.noAttempts}</p>
                ) : (
                  <Table caption={words.attempts} columns={columns} rows={data.attempts} keyOf={({ at }) => at} />
                )}
              </Section>
              <Section title={words.payload}>
                {data.payload === null ? (
                  <p class="soft">{words.noPayload}</p>
                ) : (
                  <pre class="whole">{JSON.stringify(data.payload, null, 2)}</pre>
                )}
              </Section>
            </div>
          </div>
        </>
      )}
    </article>
  );
}

const Buttons = ({
  delivery: { targetId, status, createdAt },
  address,
}: {
  delivery: SentDelivery;
  address: string;
}) => (
  <p class="acts">
    <Act
      look="button main"
      label={words.resend}
      done={words.resent}
      run={() => answerOf(client.POST(`${path}/resend`, at(address)))}
    />
    {(status === 'failed' || status === 'dead') && (
      <Act
        look="button"
        label={words.recover}
        done={words.resent}
        run={async () => {
          const { sent, left } = await recover({ targetId, since: createdAt });
          notify(words.recovered(sent, left));
        }}
      />
    )}
  </p>
);

type Unsent = { targetId: string; since: string };

/** Sends all again that failed since a time, request by request. */
async function recover({ targetId, since }: Unsent): Promise<{ sent: number; left: number }> {
  const body = { targetId, since };
  const { queued, skipped, next } = await answerOf(client.POST('/api/v1/deliveries/recover', { body }));
  const { sent, left } = next === null ? { sent: 0, left: 0 } : await recover({ targetId, since: next });
  return { sent: sent + queued, left: left + skipped };
}

const About = ({ delivery: { subject, createdAt, sentAt, reason, id } }: { delivery: SentDelivery }) => (
  <Facts
    rows={[
      [words.about, <code key="subject">{subject}</code>],
      [words.when, timeOf(createdAt)],
      [words.sentAt, sentAt && timeOf(sentAt)],
      [words.reason, reason],
      [words.id, <code key="id">{id}</code>],
    ]}
  />
);

const columns: TableColumn<SentDelivery['attempts'][number]>[] = [
  { label: words.when, cell: ({ at }) => agoOf(at) },
  {
    label: words.answered,
    cell: ({ status, error }) =>
      error ? <span class="overdue small">{error}</span> : <span>{status ?? words.statuses.sent}</span>,
  },
  { label: words.took, cell: ({ milliseconds }) => words.milliseconds(milliseconds) },
];
