import { useSignal } from '@preact/signals';
import { answerOf, client } from '../../api/client.ts';
import { texts } from '../../texts.ts';

const words = texts.device;

type Program = { client: string; device: string; remoteAddress: string };

const find = (userCode: string) => answerOf(client.POST('/api/v1/users/me/device-codes', { body: { userCode } }));

const decide = (userCode: string, approves: boolean) =>
  answerOf(
    approves
      ? client.POST('/api/v1/users/me/device-codes/approve', { body: { userCode } })
      : client.POST('/api/v1/users/me/device-codes/refuse', { body: { userCode } }),
  );

/** The page on which a person signs a program in, by the code that the program shows (RFC 8628). */
export function Device() {
  const code = useSignal(new URLSearchParams(location.hash.slice(1)).get('code') ?? '');
  const program = useSignal<Program | undefined>(undefined);
  const message = useSignal('');
  const from = (work: Promise<void>) => {
    message.value = '';
    work.catch((refused: Error) => {
      message.value = refused.message;
    });
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    from(
      find(code.value).then((found) => {
        program.value = found;
      }),
    );
  };
  const onDecide = (approves: boolean) =>
    from(
      decide(code.value, approves).then(({ approved }) => {
        program.value = undefined;
        code.value = '';
        message.value = approved ? words.approved : words.refused;
      }),
    );
  return (
    <>
      <h1>{words.title}</h1>
      {program.value ? (
        <Question program={program.value} onDecide={onDecide} />
      ) : (
        <form onSubmit={onSubmit}>
          <label>
            <span>{words.code}</span>{' '}
            <input
              required
              autocomplete="off"
              value={code.value}
              onInput={({ currentTarget }) => {
                code.value = currentTarget.value;
              }}
            />
          </label>{' '}
          <button type="submit" class="button main">
            {words.look}
          </button>
        </form>
      )}
      <p role="status">{message.value}</p>
    </>
  );
}

type Asked = { program: Program; onDecide: (approves: boolean) => void };

function Question({ program: { client: name, device, remoteAddress }, onDecide }: Asked) {
  return (
    <>
      <p>{words.question(name, device, remoteAddress)}</p>
      <p class="soft">{words.warning}</p>
      <button type="button" class="button main" onClick={() => onDecide(true)}>
        {words.approve}
      </button>{' '}
      <button type="button" class="button" onClick={() => onDecide(false)}>
        {words.refuse}
      </button>
    </>
  );
}
