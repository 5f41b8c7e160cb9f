import { Link } from 'wouter-preact';
import '../../style/administration.css';
import '../../style/integrations.css';
import { answerOf, client } from '../../api/client.ts';
import { chosenIn, type Field, oneOf, type Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { administration } from '../../texts/administration.ts';
import { integrations as words } from '../../texts/integrations.ts';
import { texts } from '../../texts.ts';
import { codeHostFields } from '../administration/code-host-fields.ts';
import { Subscriptions } from '../notifications/subscriptions.tsx';
import { ConnectionPage } from './connection-page.tsx';
import { type Connection, needsSomebody, pathOf, useConnections } from './connections.ts';
import { StateMark } from './state-mark.tsx';
import { AddWebhook } from './webhook-page.tsx';

const columns: TableColumn<Connection>[] = [
  { label: words.state, cell: ({ state }) => <StateMark state={state} /> },
  {
    label: words.name,
    cell: (one) => (
      <Link class="strong" href={pathOf(one)}>
        {one.name}
      </Link>
    ),
  },
  {
    label: words.system,
    cell: ({ system, about }) => (
      <>
        {system} {about && <span class="soft small block">{about}</span>}
      </>
    ),
  },
  { label: words.last, cell: ({ lastAt }) => (lastAt ? agoOf(lastAt) : words.never) },
  {
    label: words.problem,
    cell: ({ problem }) =>
      problem ? (
        <>
          <span class="overdue">{problem.message}</span>{' '}
          <span class="soft small block">{words.since(agoOf(problem.at))}</span>
        </>
      ) : (
        <span class="soft">{words.none}</span>
      ),
  },
];

const EDITIONS = ['cloud', 'data_center'] as const;
const { fields: labels } = words;
const common = administration.connections;

const fields: Field[] = [
  {
    name: 'edition',
    label: labels.edition,
    kind: 'choice',
    options: EDITIONS.map((value) => ({ value, label: words.systems[value] })),
    initial: 'cloud',
  },
  { name: 'name', label: labels.name, kind: 'text', required: true },
  { name: 'baseUrl', label: labels.baseUrl, hint: labels.baseUrlHint, kind: 'text', required: true },
  { name: 'account', label: labels.account, hint: labels.accountHint, kind: 'text' },
  { name: 'token', label: labels.token, hint: labels.tokenHint, kind: 'text' },
];

type Made = { webhookUrl: string; webhookSecret: string };

/** The values that the other system needs; the secret is shown once. */
const secretOf = (title: string, { webhookUrl, webhookSecret }: Made): Secret => ({
  title,
  lines: [
    { label: common.webhookUrl, text: webhookUrl },
    { label: common.webhookSecret, text: webhookSecret },
  ],
});

async function connectHost({ text, maybe }: Values): Promise<Secret> {
  const kind = chosenIn(common.kinds, text('kind'));
  const body = { kind, name: text('name'), account: text('account'), token: maybe('token') };
  return secretOf(common.made, await answerOf(client.POST('/api/v1/integrations', { body })));
}

async function connectJira({ text, maybe }: Values): Promise<Secret> {
  const body = {
    edition: oneOf(EDITIONS, text('edition')),
    name: text('name'),
    baseUrl: text('baseUrl'),
    account: maybe('account') ?? null,
    token: maybe('token'),
  };
  return secretOf(labels.made, await answerOf(client.POST('/api/v1/ticketing/connections', { body })));
}

/** Everything that is connected. What does not work comes first, with its reason. */
function Integrations() {
  const { data, error, ask } = useConnections('');
  const broken = data?.filter(needsSomebody).length ?? 0;
  return (
    <div class="page">
      <h1>{texts.screens.integrations}</h1>
      {data && data.length > 0 && (
        <p class={broken > 0 ? 'verdict-line overdue' : 'verdict-line'}>
          {broken > 0 ? words.broken(broken, data.length) : words.allWell(data.length)}
        </p>
      )}
      <Listing
        {...words}
        words={words}
        asked={{ ...(data && { data: { data } }), ...(error && { error }), ask }}
        columns={columns}
        keyOf={pathOf}
      >
        <span class="actions">
          <FormDialog label={common.add} fields={codeHostFields} send={connectHost} />
          <FormDialog label={words.add} look="plain" fields={fields} send={connectJira} />
          <AddWebhook />
          <Link class="button" href="/deliveries">
            {words.sent}
          </Link>
        </span>
      </Listing>
      <Subscriptions owner="organization" />
    </div>
  );
}

export const parts = { List: Integrations, Page: ConnectionPage, ahead: () => useConnections.ahead('') };
