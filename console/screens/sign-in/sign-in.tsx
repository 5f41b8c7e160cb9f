import { signal, useSignal } from '@preact/signals';
import icon from '../../icon.svg';
import { signInWithClient } from '../../session.ts';
import { texts } from '../../texts.ts';

const words = texts.signIn;

/** The message about a link that does not sign in. */
export const refusedLink = signal<string | undefined>(undefined);

/** The first page of whoever is not signed in. */
export function SignIn() {
  const error = useSignal(refusedLink.value);
  const isWorking = useSignal(false);
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    isWorking.value = true;
    error.value = undefined;
    try {
      await signInWithClient({
        client_id: String(form.get('clientId') ?? '').trim(),
        client_secret: String(form.get('clientSecret') ?? '').trim(),
      });
    } catch (refused) {
      error.value = refused instanceof Error ? refused.message : String(refused);
    }
    isWorking.value = false;
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
        <form onSubmit={onSubmit}>
          <label>
            <span>{words.clientId}</span>
            <input name="clientId" required autocomplete="username" spellcheck={false} />
          </label>
          <label>
            <span>{words.clientSecret}</span>
            <input name="clientSecret" type="password" required autocomplete="current-password" />
          </label>
          {error.value && (
            <p class="failed" role="alert">
              {error.value}
            </p>
          )}
          <button type="submit" class="button main" disabled={isWorking.value}>
            {isWorking.value ? words.working : words.submit}
          </button>
        </form>
      </div>
      <p class="sign-in-promise">{words.promise}</p>
    </main>
  );
}
