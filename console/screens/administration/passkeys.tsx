import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { agoOf, dayOf } from '../../parts/format.ts';
import { LIST_SIZE, Listing } from '../../parts/listing.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { newPasskey } from '../../passkey.ts';
import type { RecordOf } from '../../records/record-of.ts';
import { administration } from '../../texts/administration.ts';
import { proofField, proofIn, sendCode, useStep } from './own-proof.ts';

type Passkey = RecordOf<'Passkey'>;
const words = administration.passkeys;
const base = '/api/v1/users/me/passkeys';

const usePasskeys = question(() => answerOf(client.GET(base, { params: { query: { paginateSize: LIST_SIZE } } })));

const nameField: Field = { name: 'name', label: words.name, kind: 'text', required: true };

async function add(values: Values): Promise<Secret | undefined> {
  const { code, passkey: proof } = { code: undefined, passkey: undefined, ...(await proofIn(values)) };
  const { clientExtensionResults, ...made } = await newPasskey(await answerOf(client.POST(`${base}/options`)));
  const passkey = { ...made, clientExtensionResults: { ...clientExtensionResults } };
  const body = { passkey, name: values.text('name'), ...(code && { code }), ...(proof && { proof }) };
  const { recoveryCodes } = await answerOf(client.POST(base, { body }));
  if (recoveryCodes.length === 0) return undefined;
  const { codes, codesHint } = administration.account;
  return { title: codes, lines: [{ label: codesHint, text: recoveryCodes.join('\n') }] };
}

const columns: TableColumn<Passkey>[] = [
  { label: words.name, cell: ({ name }) => <span class="strong">{name}</span> },
  { label: words.device, cell: ({ device, synced }) => (synced ? words.syncedOf(device) : device) },
  { label: words.made, cell: ({ createdAt }) => dayOf(createdAt) },
  { label: words.used, cell: ({ lastUsedAt }) => (lastUsedAt ? agoOf(lastUsedAt) : words.never) },
  { label: words.actions, cell: Actions },
];

function Actions({ id, name }: Passkey) {
  const { data: step } = useStep('');
  const params = { path: { id } };
  return (
    <span class="acts">
      <FormDialog
        label={words.rename}
        look="link"
        fields={[{ ...nameField, initial: name }]}
        send={async ({ text }): Promise<undefined> => {
          await answerOf(client.PATCH(`${base}/{id}`, { params, body: { name: text('name') } }));
        }}
      />
      <FormDialog
        label={words.remove}
        look="link"
        fields={step ? [proofField(step)] : []}
        send={async (values): Promise<undefined> => {
          await answerOf(client.POST(`${base}/{id}/remove`, { params, body: await proofIn(values) }));
        }}
      />
    </span>
  );
}

/** The passkeys of the person, which sign in without a password or a link. */
export function Passkeys() {
  const asked = usePasskeys('');
  const { data: step } = useStep('');
  return (
    <Listing title={words.title} lead={words.lead} words={words} asked={asked} columns={columns} keyOf={({ id }) => id}>
      {step && (
        <FormDialog label={words.add} fields={[nameField, proofField(step)]} begin={() => sendCode(step)} send={add} />
      )}
    </Listing>
  );
}
