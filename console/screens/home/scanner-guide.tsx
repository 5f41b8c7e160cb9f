import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { CopyLine } from '../../parts/copy-line.tsx';
import { useEvery } from '../../parts/use-every.ts';
import { guides } from '../../texts/guides.ts';
import { Awaited, Guide } from './guide.tsx';

const words = guides.scanner;
const EVERY_MS = 3_000;
const fields: Field[] = [{ name: 'name', label: words.name, hint: words.nameHint, kind: 'text', required: true }];

type Made = { id: string; name: string; linkToken: string };

const useToken = question(async (id: string) =>
  id === '' ? undefined : answerOf(client.GET('/api/v1/organization/link-tokens/{id}', { params: { path: { id } } })),
);

/** Links a scanner: makes a token for it, shows how to start it, and waits until the token is used. */
export function ScannerGuide({ close }: { close: () => void }) {
  const made = useSignal<Made | undefined>(undefined);
  const { data, ask } = useToken(made.value?.id ?? '');
  const isThere = (data?.uses ?? 0) > 0;
  useEvery(made.value && !isThere ? EVERY_MS : undefined, ask);
  const create = async ({ text }: Values) => {
    const name = text('name');
    const body = { kind: 'scanner' as const, name, maxUses: 1 };
    made.value = { ...(await answerOf(client.POST('/api/v1/organization/link-tokens', { body }))), name };
  };
  const steps = [
    {
      title: words.steps.name,
      isDone: made.value !== undefined,
      content: made.value ? (
        <p class="soft">{words.created(made.value.name)}</p>
      ) : (
        <Form fields={fields} submit={words.submit} send={create} />
      ),
    },
    {
      title: words.steps.start,
      isDone: isThere,
      content: made.value && <Start made={made.value} />,
    },
    {
      title: words.steps.linked,
      isDone: isThere,
      content: made.value && <Awaited isThere={isThere} waiting={words.waiting} works={words.works} />,
    },
  ];
  const page = { href: '/scanners', label: words.show };
  return <Guide title={words.title} steps={steps} page={page} close={close} />;
}

const Start = ({ made: { name, linkToken } }: { made: Made }) => (
  <>
    <CopyLine label={words.token} text={linkToken} />
    <CopyLine
      label={words.command}
      text={`LINK_TOKEN=${linkToken} npm run scanner -- --url ${location.origin} --name ${JSON.stringify(name)}`}
    />
    <p class="soft small">{words.commandHint}</p>
    <p class="soft small">{words.once}</p>
  </>
);
