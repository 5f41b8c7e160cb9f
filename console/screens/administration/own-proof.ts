import { answerOf, anybody, client } from '../../api/client.ts';
import { question } from '../../api/question.ts';
import type { Field, Values } from '../../forms/field.ts';
import { act } from '../../parts/act.ts';
import { usedPasskey } from '../../passkey.ts';
import type { RecordOf } from '../../records/record-of.ts';
import { administration } from '../../texts/administration.ts';

/* A person proves once more that it is them: by the second step, or by a code in a letter where there is none. */

type SecondStep = RecordOf<'SecondStepState'>;
const words = administration.proof;

export const readStep = () => answerOf(client.GET('/api/v1/users/me/second-step'));
export const useStep = question(readStep);

export const hasNone = ({ totp, passkeys }: SecondStep): boolean => !totp && passkeys === 0;

/** Sends the letter with a code to a person without a second step: for a program, or for the first second step. */
export async function sendCode(step: SecondStep, userCode?: string): Promise<void> {
  const body = userCode ? { userCode } : {};
  if (hasNone(step)) await act(client.POST('/api/v1/users/me/confirmation', { body }), { done: words.sent });
}

export function proofField(step: SecondStep): Field {
  const field = { name: 'proof', kind: 'text' } as const;
  if (hasNone(step)) return { ...field, label: words.letter, hint: words.letterHint, required: true };
  const label = step.totp ? words.app : words.recovery;
  if (step.passkeys > 0) return { ...field, label, hint: words.orPasskey };
  return { ...field, label, hint: words.orRecovery, required: true };
}

/** The code that the person typed; without one they use a passkey. */
export async function proofIn({ maybe }: Values) {
  const code = maybe('proof');
  return code === undefined ? { passkey: await signedByPasskey() } : { code };
}

async function signedByPasskey() {
  const { response, clientExtensionResults, ...signed } = await usedPasskey(
    await answerOf(anybody.POST('/api/v1/sign-in/passkey/options')),
  );
  const { userHandle = '' } = response;
  return { ...signed, clientExtensionResults: { ...clientExtensionResults }, response: { ...response, userHandle } };
}
