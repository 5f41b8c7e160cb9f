import { solveChallenge } from 'altcha-lib';
import { answerOf, anybody } from '../../api/client.ts';
import { signUp as words } from '../../texts/sign-up.ts';
import { passedTurnstile } from './turnstile.ts';

type Solving = Parameters<typeof solveChallenge>[0];
type Task = Solving['challenge']['parameters'];

const isTask = (parameters: object | null): parameters is Task =>
  parameters !== null &&
  ['algorithm', 'nonce', 'salt', 'cost', 'keyLength', 'keyPrefix'].every((name) => name in parameters);

const NAMES: Readonly<Record<string, string>> = { 'PBKDF2/SHA-256': 'SHA-256' };

/** The library has this function for servers only. */
const deriveKey: Solving['deriveKey'] = async ({ algorithm, cost, keyLength }, salt, password) => {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(password), 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: NAMES[algorithm] ?? algorithm, salt: Uint8Array.from(salt), iterations: cost };
  return { derivedKey: new Uint8Array(await crypto.subtle.deriveBits(how, key, keyLength * 8)) };
};

/**
 * Solves the task that costs a sender of many requests more than a person, or lets Turnstile judge the person in this place.
 * @throws Refused, or with what to do
 */
export async function solvedChallenge(place: HTMLElement): Promise<string> {
  const offered = await answerOf(anybody.GET('/api/v1/challenges', { params: { query: { purpose: 'signup' } } }));
  const { siteKey, parameters, signature } = offered;
  if (siteKey !== null) return passedTurnstile(place, siteKey);
  if (!isTask(parameters) || signature === null) throw new Error(words.unsolved);
  const challenge = { parameters, signature };
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error(words.unsolved);
  return btoa(JSON.stringify({ challenge, solution }));
}
