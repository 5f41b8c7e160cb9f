import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Session } from '../../api/types.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { FormDialog, type Secret } from '../../forms/form-dialog.tsx';
import { agoOf } from '../../parts/format.ts';
import { Act, LIST_SIZE, Listing } from '../../parts/listing.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import type { TableColumn } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { administration } from '../../texts/administration.ts';
import { deviceZone, useMe } from '../../zone.ts';
import { proofField, proofIn, sendCode, useStep } from './own-proof.ts';
import { Passkeys } from './passkeys.tsx';

const words = administration.account;

const useSessions = question(() =>
  answerOf(client.GET('/api/v1/users/me/sessions', { params: { query: { paginateSize: LIST_SIZE } } })),
);

export const Account = () => (
  <>
    <Profile />
    <SecondStep />
    <Passkeys />
    <Listing
      title={words.sessions}
      lead={words.sessionsLead}
      words={words}
      asked={useSessions('')}
      columns={sessionColumns}
      keyOf={({ id }) => id}
    />
  </>
);

function Profile() {
  const { data, error, ask } = useMe('');
  if (!data) return error ? <Failed error={error} again={ask} /> : <Loading />;
  const { name, timeZone, email } = data;
  const zones = new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')]);
  const options = [...zones].map((value) => ({ value, label: value }));
  const fields: Field[] = [
    { name: 'name', label: words.name, kind: 'text', required: true, initial: name },
    {
      name: 'timeZone',
      label: words.timeZone,
      hint: words.timeZoneHint(deviceZone),
      kind: 'choice',
      options,
      initial: timeZone,
    },
  ];
  const save = async ({ text }: Values) => {
    await answerOf(client.PATCH('/api/v1/users/me', { body: { name: text('name'), timeZone: text('timeZone') } }));
    notify(words.saved);
  };
  return (
    <section class="listing">
      <h2>{words.title}</h2>
      <p class="soft">{email}</p>
      <Form fields={fields} submit={words.save} send={save} />
    </section>
  );
}

const codeField: Field = { name: 'code', label: words.code, kind: 'text', required: true };
const codesOf = (codes: readonly string[]): Secret => ({
  title: words.codes,
  lines: [{ label: words.codesHint, text: codes.join('\n') }],
});

/** The authenticator app of the person: its key is shown until a code proves that the app has it. */
function SecondStep() {
  const { data, error, ask } = useStep('');
  const offer = useSignal<{ secret: string; uri: string } | undefined>(undefined);
  if (!data) return error ? <Failed error={error} again={ask} /> : <Loading />;
  const begin = async () => {
    offer.value = await answerOf(client.POST('/api/v1/users/me/totp'));
  };
  const confirm = async (values: Values) => {
    const body = { code: values.text('code'), proof: await proofIn(values) };
    const { recoveryCodes } = await answerOf(client.POST('/api/v1/users/me/totp/confirm', { body }));
    return recoveryCodes.length > 0 ? codesOf(recoveryCodes) : undefined;
  };
  const renew = async ({ text }: Values) =>
    codesOf(
      (await answerOf(client.POST('/api/v1/users/me/recovery-codes', { body: { code: text('code') } }))).recoveryCodes,
    );
  const remove = async ({ text }: Values): Promise<undefined> => {
    await answerOf(client.POST('/api/v1/users/me/totp/remove', { body: { code: text('code') } }));
    offer.value = undefined;
  };
  return (
    <section class="listing">
      <h2>{words.step}</h2>
      <p class="soft">{data.totp ? words.stepOn(data.recoveryCodesLeft) : words.stepOff}</p>
      {!data.totp && !offer.value && <Act label={words.begin} done={words.begun} run={begin} />}
      {!data.totp && offer.value && (
        <p>
          {words.key} <code>{offer.value.secret}</code> <a href={offer.value.uri}>{words.openApp}</a>
        </p>
      )}
      <p class="acts">
        {(data.totp || offer.value) && (
          <FormDialog
            label={data.totp ? words.renew : words.confirm}
            fields={data.totp ? [codeField] : [codeField, proofField(data)]}
            begin={() => sendCode(data)}
            send={data.totp ? renew : confirm}
          />
        )}
        {data.totp && <FormDialog label={words.remove} fields={[codeField]} send={remove} />}
      </p>
    </section>
  );
}

const sessionColumns: TableColumn<Session>[] = [
  { label: words.device, cell: ({ device }) => device },
  { label: words.address, cell: ({ remoteAddress }) => remoteAddress },
  { label: words.used, cell: ({ lastUsedAt }) => agoOf(lastUsedAt) },
  {
    label: words.actions,
    cell: ({ id, current }) =>
      current ? (
        <span class="tag">{words.current}</span>
      ) : (
        <Act
          label={words.end}
          done={words.ended}
          run={() => answerOf(client.DELETE('/api/v1/users/me/sessions/{id}', { params: { path: { id } } }))}
        />
      ),
  },
];
