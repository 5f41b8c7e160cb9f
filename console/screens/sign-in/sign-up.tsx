import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { answerOf, anybody } from '../../api/client.ts';
import type { Field, Values } from '../../forms/field.ts';
import { Form } from '../../forms/form.tsx';
import { signUp as words } from '../../texts/sign-up.ts';

/** The version of the text about personal data that the form shows. */
const CONSENT_VERSION = '2026-01';

const fields: Field[] = [
  { name: 'name', label: words.name, kind: 'text', required: true },
  { name: 'email', label: words.email, hint: words.emailHint, kind: 'email', required: true },
  { name: 'organizationName', label: words.organizationName, kind: 'text', required: true },
  {
    name: 'consentVersion',
    label: words.consentLabel,
    kind: 'check',
  },
];

/** Begins a trial: the service answers the same for every address, and the letter says how to go on. */
export function SignUp() {
  const sentTo = useSignal('');
  const check = useRef<HTMLDivElement>(null);
  if (sentTo.value !== '')
    return (
      <>
        <h1>{words.sent}</h1>
        <p role="status">{words.sentLead(sentTo.value)}</p>
      </>
    );
  const send = async (values: Values) => {
    if (check.current) sentTo.value = await signUp(values, check.current);
  };
  return (
    <>
      <h1>{words.title}</h1>
      <p class="soft">{words.lead}</p>
      <Form fields={fields} submit={words.submit} send={send} />
      <div ref={check} />
      <p class="soft small">{words.checking}</p>
      <p>
        <Link href="/">{words.haveAccount}</Link>
      </p>
    </>
  );
}

/** @returns the address to which a letter goes. @throws Refused, or with what to do */
async function signUp({ text, isChecked }: Values, check: HTMLElement): Promise<string> {
  if (!isChecked('consentVersion')) throw new Error(words.consentNeeded);
  const { solvedChallenge } = await import('./robot-check.ts');
  const email = text('email');
  const body = { name: text('name'), email, organizationName: text('organizationName') };
  const challenge = await solvedChallenge(check);
  await answerOf(anybody.POST('/api/v1/signup', { body: { ...body, consentVersion: CONSENT_VERSION, challenge } }));
  return email;
}
