import { useSignal } from '@preact/signals';
import { enter, recoveryCodes, step, takeStep, takeStepByPasskey } from '../../session.ts';
import { texts } from '../../texts.ts';
import { PasskeyButton } from './passkey-button.tsx';

const words = texts.signIn;

/** The form for a code of an authenticator app; with the key of the app where it is set up first. */
export function SecondStep() {
  const error = useSignal<string | undefined>(undefined);
  const code = useSignal('');
  const current = step.value;
  if (!current) return null;
  const { offer } = current;
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    error.value = undefined;
    takeStep(current, code.value.trim()).catch((refused: Error) => {
      error.value = refused.message;
    });
  };
  return (
    <>
      <h1>{offer ? words.enrolment.title : words.code.title}</h1>
      <p class="soft">{offer ? words.enrolment.lead : words.code.lead}</p>
      {offer && (
        <p>
          {words.enrolment.key} <code>{offer.secret}</code> <a href={offer.uri}>{words.enrolment.open}</a>
        </p>
      )}
      {error.value && (
        <p class="failed" role="alert">
          {error.value}
        </p>
      )}
      <form onSubmit={onSubmit}>
        <label>
          <span>{words.code.label}</span>
          <input
            required
            autocomplete="one-time-code"
            value={code.value}
            onInput={({ currentTarget }) => {
              code.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="button main">
          {words.code.submit}
        </button>
      </form>
      <PasskeyButton
        label={offer ? words.passkey.enrol : words.passkey.use}
        error={error}
        onUse={() => takeStepByPasskey(current)}
      />
    </>
  );
}

/** The recovery codes of a new app, before the console. */
export function RecoveryCodes() {
  return (
    <>
      <h1>{words.codes.title}</h1>
      <p class="soft">{words.codes.lead}</p>
      <ul class="recovery-codes">
        {recoveryCodes.value.map((one) => (
          <li key={one}>
            <code>{one}</code>
          </li>
        ))}
      </ul>
      <button type="button" class="button main" onClick={enter}>
        {words.codes.submit}
      </button>
    </>
  );
}
