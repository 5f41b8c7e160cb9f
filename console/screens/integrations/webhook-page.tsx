import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { WebhookEndpoint } from '../../api/types.ts';
import { textOf } from '../../filter/filter-text.ts';
import { matchingFields, matchingIn, typesIn } from '../../forms/event-filter.ts';
import { changesOf, type Field, type Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act } from '../../parts/listing.tsx';
import { notify } from '../../parts/toasts.tsx';
import { integrations } from '../../texts/integrations.ts';
import { NEWEST, SentList } from '../deliveries/sent-list.tsx';
import { STATES } from './connections.ts';
import { Frame } from './frame.tsx';

const { webhooks: words } = integrations;
const path = '/api/v1/webhook-endpoints/{id}';
const at = (id: string) => ({ params: { path: { id } } });

const fields = (known?: WebhookEndpoint): Field[] => [
  { name: 'name', label: words.name, kind: 'text', required: true, initial: known?.name ?? '' },
  { name: 'url', label: words.url, hint: words.urlHint, kind: 'text', required: true, initial: known?.url ?? '' },
  { name: 'types', label: words.types, hint: words.typesHint, kind: 'text', initial: known?.types?.join(' ') ?? '' },
  ...matchingFields(known?.matching),
];

const bodyOf = (values: Values, known?: WebhookEndpoint) => ({
  name: values.text('name'),
  url: values.text('url'),
  types: typesIn(values.text('types')),
  matching: matchingIn(values, known?.matching),
});

async function add(values: Values): Promise<Secret> {
  const { webhookSecret } = await answerOf(client.POST('/api/v1/webhook-endpoints', { body: bodyOf(values) }));
  return { title: words.made, lines: [{ label: words.secret, text: webhookSecret }] };
}

/** Has the events of the organization sent to an address. */
export const AddWebhook = () => (
  <FormDialog label={words.add} lead={words.lead} look="plain" fields={fields()} send={add} />
);

const useEndpoint = question((id) => answerOf(client.GET(path, at(id))));
const useSent = question((id) =>
  answerOf(client.GET('/api/v1/deliveries', { params: { query: { targetId: id, limit: NEWEST } } })),
);

type Changes = Partial<ReturnType<typeof bodyOf>> & { enabled?: boolean };

const change = ({ id, version }: WebhookEndpoint, body: Changes) =>
  answerOf(client.PATCH(path, { ...at(id), headers: { 'if-match': `"${version}"` }, body }));

/** An address to which events are sent, with what was sent. */
export function WebhookPage({ id }: { id: string }) {
  const { data: endpoint, error, ask } = useEndpoint(id);
  return (
    <Frame
      asked={{ ...(error && { error }), ask }}
      known={
        endpoint && {
          name: endpoint.name,
          state: STATES[endpoint.status],
          system: integrations.systems.webhook,
          error: endpoint.error,
          ...(endpoint.status === 'failing' && { next: words.next }),
          ...(endpoint.status === 'disabled' && { next: words.off }),
        }
      }
      actions={endpoint && <Actions endpoint={endpoint} />}
      facts={endpoint && <About endpoint={endpoint} />}
      remove={() => answerOf(client.DELETE(path, at(id)))}
    >
      <Sent id={id} />
    </Frame>
  );
}

const Actions = ({ endpoint }: { endpoint: WebhookEndpoint }) => (
  <>
    <Act
      look="button main"
      label={integrations.test}
      done={integrations.works}
      run={async () => {
        const attempt = await answerOf(client.POST(`${path}/test`, at(endpoint.id)));
        if (attempt.error) throw new Error(attempt.error);
        notify(words.tested(attempt.status ?? 0));
      }}
    />
    <FormDialog
      label={words.change}
      look="plain"
      fields={fields(endpoint)}
      send={async (values) => {
        await change(endpoint, changesOf(bodyOf(values, endpoint), endpoint));
        return undefined;
      }}
    />
    <FormDialog
      label={integrations.secret}
      lead={integrations.secretLead}
      look="plain"
      fields={[]}
      send={async (): Promise<Secret> => {
        const { webhookSecret } = await answerOf(client.POST(`${path}/secret`, at(endpoint.id)));
        return { title: integrations.secretTitle, lines: [{ label: words.secret, text: webhookSecret }] };
      }}
    />
    <Act
      look="button"
      label={endpoint.enabled ? integrations.off : integrations.on}
      done={integrations.changed}
      run={() => change(endpoint, { enabled: !endpoint.enabled })}
    />
  </>
);

const About = ({ endpoint: { url, types, matching, secretUpdatedAt } }: { endpoint: WebhookEndpoint }) => (
  <Facts
    rows={[
      [integrations.address, <code key="url">{url}</code>],
      [words.types, types.length === 0 ? words.all : types.join(', ')],
      [words.chosen, matching && <code key="filter">{textOf(matching.filter)}</code>],
      [integrations.secretAge, agoOf(secretUpdatedAt)],
    ]}
  />
);

const Sent = ({ id }: { id: string }) => <SentList asked={useSent(id)} lead={words.sent} />;
