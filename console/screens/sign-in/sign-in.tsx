import { useSignal } from '@preact/signals';
import { Link, useLocation } from 'wouter-preact';
import icon from '../../icon.svg';
import {
  askForLink,
  goToProvider,
  openedLink,
  type Provider,
  providerOf,
  recoveryCodes,
  refusedLink,
  signInWithPasskey,
  step,
} from '../../session.ts';
import { staff } from '../../texts/clients.ts';
import { signUp } from '../../texts/sign-up.ts';
import { texts } from '../../texts.ts';
import { Invitation, Trial } from './confirm-link.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { RecoveryCodes, SecondStep } from './second-step.tsx';
import { SignUp } from './sign-up.tsx';
import { StaffForm } from './staff-form.tsx';

const words = texts.signIn;

/** The form that asks for a link. */
function AskForLink() {
  const error = useSignal(refusedLink.value);
  const isSent = useSignal(false);
  const email = useSignal('');
  const provider = useSignal<Provider | undefined>(undefined);
  const tried = (work: Promise<void>) => {
    error.value = undefined;
    work.catch((refused: Error) => {
      error.value = refused.message;
    });
  };
  const ask = async () => {
    provider.value = await providerOf(email.value.trim());
    if (!provider.value?.required) await sendLink();
  };
  const sendLink = async () => {
    await askForLink(email.value.trim());
    isSent.value = true;
  };
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    isSent.value = false;
    tried(ask());
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
      {provider.value && <ProviderButton provider={provider.value} onGo={tried} />}
      {provider.value?.required && (
        <button type="button" class="button" onClick={() => tried(sendLink())}>
          {words.asOwner}
        </button>
      )}
      <PasskeyButton label={words.passkey.signIn} error={error} onUse={signInWithPasskey} />
      <p role="status">{isSent.value && words.sent}</p>
      <p class="soft small">
        {signUp.none} <Link href="/sign-up">{signUp.start}</Link>. {signUp.invited}{' '}
        <Link href="/staff">{staff.open}</Link>
      </p>
    </>
  );
}

type Going = { provider: Provider; onGo: (work: Promise<void>) => void };

/** The way to the identity provider of the address. */
function ProviderButton({ provider, onGo }: Going) {
  return (
    <button type="button" class="button" onClick={() => onGo(goToProvider(provider))}>
      {words.withProvider(provider.name)}
    </button>
  );
}

/** The letter of a sign-up leads to the first address. */
const SIGN_UP = ['/sign-up', '/signup'];

function Content() {
  const [path] = useLocation();
  if (recoveryCodes.value.length > 0) return <RecoveryCodes />;
  if (step.value) return <SecondStep />;
  if (openedLink.value) {
    const { opens, token } = openedLink.value;
    return opens === 'trial' ? <Trial token={token} /> : <Invitation token={token} />;
  }
  if (path === '/staff') return <StaffForm />;
  return SIGN_UP.includes(path) ? <SignUp /> : <AskForLink />;
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
