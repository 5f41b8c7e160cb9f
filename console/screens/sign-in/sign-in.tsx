import { useSignal } from '@preact/signals';
import icon from '../../icon.svg';
import { askForLink, recoveryCodes, refusedLink, step } from '../../session.ts';
import { texts } from '../../texts.ts';
import { RecoveryCodes, SecondStep } from './second-step.tsx';

const words = texts.signIn;

/** The form that asks for a link. */
function AskForLink() {
  const error = useSignal(refusedLink.value);
  const isSent = useSignal(false);
  const email = useSignal('');
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    error.value = undefined;
    askForLink(email.value.trim()).then(
      () => {
        isSent.value = true;
      },
      (refused: Error) => {
        error.value = refused.message;
      },
    );
  };
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.lead}</p>
      {error.value && (
        <p class="failed" role="alert">
          {error.value}
        </p>
      )}
      <form onSubmit={onSubmit}>
        <label>
          <span>{words.email}</span>
          <input
            type="email"
            required
            autocomplete="email"
            value={email.value}
            onInput={({ currentTarget }) => {
              email.value = currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="button main">
          {words.submit}
        </button>
      </form>
      <p role="status">{isSent.value && words.sent}</p>
    </>
  );
}

function Content() {
  if (recoveryCodes.value.length > 0) return <RecoveryCodes />;
  return step.value ? <SecondStep /> : <AskForLink />;
}

/** The first page of a person who is not signed in. */
export function SignIn() {
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <p class="brand">
          <img src={icon} alt="" width="24" height="24" />
          {texts.product}
        </p>
        <Content />
      </div>
      <p class="sign-in-promise">{words.promise}</p>
    </main>
  );
}
