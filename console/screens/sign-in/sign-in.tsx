import { useSignal } from '@preact/signals';
import icon from '../../icon.svg';
import { askForLink, refusedLink } from '../../session.ts';
import { texts } from '../../texts.ts';

const words = texts.signIn;

/** The first page of a person who is not signed in. */
export function SignIn() {
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
    <main class="sign-in">
      <div class="sign-in-box">
        <p class="brand">
          <img src={icon} alt="" width="24" height="24" />
          {texts.product}
        </p>
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
      </div>
      <p class="sign-in-promise">{words.promise}</p>
    </main>
  );
}
