import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Integration, TicketingConnection } from '../../api/types.ts';
import { oneOf, type Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { CODE_HOSTS, codeHostFields } from './code-host-fields.ts';
import { Act, LIST_SIZE, Listing } from './listing.tsx';

const words = administration.connections;
const query = { params: { query: { paginateSize: LIST_SIZE } } };

const useHosts = question(() => answerOf(client.GET('/api/v1/integrations', query)));
const useTicketing = question(() => answerOf(client.GET('/api/v1/ticketing/connections', query)));

type Connection = Pick<Integration, 'id' | 'name' | 'status' | 'error' | 'lastDeliveryAt'>;

const common = <T extends Connection>(test: (id: string) => Promise<{ works: boolean }>): TableColumn<T>[] => [
  {
    label: words.status,
    cell: ({ status, error }) => (
      <>
        <span class="tag">{status}</span> {error && <span class="overdue small">{error.message}</span>}
      </>
    ),
  },
  { label: words.delivery, cell: ({ lastDeliveryAt }) => (lastDeliveryAt ? agoOf(lastDeliveryAt) : words.none) },
  {
    label: words.actions,
    cell: ({ id }) => <Act label={words.test} done={words.works} run={() => tested(test(id))} />,
  },
];

/** @throws with what the other system answered */
async function tested(answer: Promise<{ works: boolean; error?: { message: string } | null }>): Promise<void> {
  const { works, error } = await answer;
  if (!works) throw new Error(error?.message ?? words.fails);
}

const hostColumns: TableColumn<Integration>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.kind, cell: ({ kind, account }) => `${words.kinds[kind]}: ${account}` },
  ...common<Integration>((id) => answerOf(client.POST('/api/v1/integrations/{id}/test', { params: { path: { id } } }))),
];

const ticketingColumns: TableColumn<TicketingConnection>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.kind, cell: ({ baseUrl }) => baseUrl },
  ...common<TicketingConnection>((id) =>
    answerOf(client.POST('/api/v1/ticketing/connections/{id}/test', { params: { path: { id } } })),
  ),
];

export const Connections = () => (
  <>
    <Listing {...words.hosts} words={words.hosts} asked={useHosts('')} columns={hostColumns} keyOf={({ id }) => id}>
      <FormDialog label={words.hosts.add} fields={codeHostFields} send={connect} />
    </Listing>
    <Listing
      {...words.ticketing}
      words={words.ticketing}
      asked={useTicketing('')}
      columns={ticketingColumns}
      keyOf={({ id }) => id}
    />
  </>
);

async function connect({ text, maybe }: Values): Promise<Secret> {
  const kind = oneOf(CODE_HOSTS, text('kind'));
  const body = { kind, name: text('name'), account: text('account'), token: maybe('token') };
  const { webhookUrl, webhookSecret } = await answerOf(client.POST('/api/v1/integrations', { body }));
  const lines = [
    { label: words.webhookUrl, text: webhookUrl },
    { label: words.webhookSecret, text: webhookSecret },
  ];
  return { title: words.made, lines };
}
