import '../../style/notifications.css';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { NotificationSubscription } from '../../api/types.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { notifications as words } from '../../texts/notifications.ts';
import { type Owner, SubscriptionForm } from './subscription-form.tsx';

const path = '/api/v1/notifications/subscriptions';
const one = `${path}/{id}` as const;
const at = (id: string) => ({ params: { path: { id } } });

const useSubscriptions = question((about) => {
  const owner: Owner = about === 'me' ? 'me' : 'organization';
  return answerOf(client.GET(path, { params: { query: { owner, paginateSize: LIST_SIZE } } }));
});

const columns: TableColumn<NotificationSubscription>[] = [
  { label: words.name, cell: ({ name }) => <strong>{name}</strong> },
  {
    label: words.types,
    cell: ({ types, severityFloor }) => (
      <>
        {types.join(', ')} {severityFloor && <span class="tag">{words.orWorse(severityFloor)}</span>}
      </>
    ),
  },
  {
    label: words.to,
    cell: ({ to, addressHost }) => (to ? words.receivers[to.kind] : (addressHost ?? words.toChannel)),
  },
  { label: words.channel, cell: ({ channels }) => channels.map((channel) => words.channels[channel]).join(', ') },
  { label: words.when, cell: ({ timing }) => words.timings[timing?.when ?? 'at_once'] },
  { label: words.state, cell: (row) => <State subscription={row} /> },
  { label: words.actions, cell: (row) => <Actions subscription={row} /> },
];

const State = ({ subscription: { status, error, stopped } }: { subscription: NotificationSubscription }) => (
  <>
    <span class={status === 'failing' ? 'overdue' : ''}>{words.states[status]}</span>
    {stopped && <span class="tag">{words.stopped}</span>}
    {error && <span class="overdue small block">{error.message}</span>}
  </>
);

function Actions({ subscription }: { subscription: NotificationSubscription }) {
  const { id, version, enabled, stopped, ownerId, to } = subscription;
  const headers = { 'if-match': `"${version}"` };
  const turn = () => answerOf(client.PATCH(one, { ...at(id), headers, body: { enabled: !enabled } }));
  const stop = () => answerOf(client.POST(stopped ? `${one}/resume` : `${one}/stop`, at(id)));
  return (
    <span class="acts">
      {(stopped || ownerId === null) && to && (
        <Act label={stopped ? words.resume : words.stop} done={words.changed} run={stop} />
      )}
      <SubscriptionForm owner={ownerId === null ? 'organization' : 'me'} known={subscription} />
      <Act label={enabled ? words.off : words.on} done={words.changed} run={turn} />
      <Act label={words.test} done={words.tested} run={() => test(id)} />
      <Act
        label={words.remove}
        sure={words.sure}
        done={words.removed}
        run={() => answerOf(client.DELETE(one, at(id)))}
      />
    </span>
  );
}

async function test(id: string): Promise<void> {
  const { error } = await answerOf(client.POST(`${one}/test`, at(id)));
  if (error) throw new Error(error);
}

/** The subscriptions of the person, or those of the organization. */
export function Subscriptions({ owner }: { owner: Owner }) {
  const own = words[owner === 'me' ? 'own' : 'organization'];
  return (
    <Listing
      title={own.title}
      lead={own.lead}
      words={own}
      asked={useSubscriptions(owner)}
      columns={columns}
      keyOf={({ id }) => id}
    >
      <SubscriptionForm owner={owner} />
    </Listing>
  );
}

/** The part of the administration in which people choose what notifies them. */
export const Notifications = () => (
  <>
    <Subscriptions owner="me" />
    <Subscriptions owner="organization" />
  </>
);
