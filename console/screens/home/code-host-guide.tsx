import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import { chosenIn, type Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { CopyLine } from '../../parts/copy-line.tsx';
import { useEvery } from '../../parts/use-every.ts';
import { connectionPage } from '../../shell/links.ts';
import { administration } from '../../texts/administration.ts';
import { guides } from '../../texts/guides.ts';
import { codeHostFields } from '../administration/code-host-fields.ts';
import { Awaited, Guide } from './guide.tsx';

const words = guides.codeHost;
const labels = administration.connections;
const EVERY_MS = 3_000;

type Made = {
  id: string;
  name: string;
  kind: keyof typeof labels.kinds;
  webhookUrl: string;
  webhookSecret: string;
};

const useIntegration = question(async (id: string) =>
  id === '' ? undefined : answerOf(client.GET('/api/v1/integrations/{id}', { params: { path: { id } } })),
);

/** Connects a code host: names the account, shows the values of its webhook, and waits for the first delivery. */
export function CodeHostGuide({ close }: { close: () => void }) {
  const made = useSignal<Made | undefined>(undefined);
  const { data, ask } = useIntegration(made.value?.id ?? '');
  const isThere = Boolean(data?.lastDeliveryAt);
  useEvery(made.value && !isThere ? EVERY_MS : undefined, ask);
  const connect = async ({ text, maybe }: Values) => {
    const kind = chosenIn(labels.kinds, text('kind'));
    const body = { kind, name: text('name'), account: text('account'), token: maybe('token') };
    made.value = await answerOf(client.POST('/api/v1/integrations', { body }));
  };
  const steps = [
    {
      title: words.steps.account,
      isDone: made.value !== undefined,
      content: made.value ? (
        <p class="soft">{words.connected(made.value.name)}</p>
      ) : (
        <Form fields={codeHostFields} submit={words.submit} send={connect} />
      ),
    },
    {
      title: words.steps.webhook,
      isDone: isThere,
      content: made.value && <Webhook made={made.value} />,
    },
    {
      title: words.steps.delivery,
      isDone: isThere,
      content: made.value && <Awaited isThere={isThere} waiting={words.waiting} works={words.works} />,
    },
  ];
  const page = {
    href: made.value ? connectionPage(made.value) : '/integrations',
    label: words.show,
  };
  return <Guide title={words.title} steps={steps} page={page} close={close} />;
}

const Webhook = ({ made: { kind, webhookUrl, webhookSecret } }: { made: Made }) => (
  <>
    <p>{words.where[kind]}</p>
    <CopyLine label={labels.webhookUrl} text={webhookUrl} />
    <CopyLine label={labels.webhookSecret} text={webhookSecret} />
    <p class="soft small">{words.secretOnce}</p>
  </>
);
