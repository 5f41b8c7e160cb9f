import { signal } from '@preact/signals';
import { texts } from './texts.ts';

/**
 * The session of the person at this page. The access token is in memory only. A cookie that scripts cannot read renews it, also
 * after a reload.
 */
type Token = { text: string; endsAt: number };
type Client = { client_id: string; client_secret: string };

export const session = signal<'unknown' | 'out' | 'in'>('unknown');

let token: Token | undefined;
let renew: () => Promise<Token> = refresh;
let renewing: Promise<Token> | undefined;

/** A token is renewed a minute before it ends. */
const EARLY_MS = 60_000;

/** @throws when the session has ended */
export async function accessToken(): Promise<string> {
  if (token && token.endsAt - EARLY_MS > Date.now()) return token.text;
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  try {
    token = await renewing;
  } catch (error) {
    session.value = 'out';
    throw error;
  }
  return token.text;
}

/** The service refused the token: the next request renews it. */
export const forgetToken = (): void => {
  token = undefined;
};

/**
 * Begins with the link that the person opened (`/sign-in#token=...`), or with the session of an earlier visit.
 * @throws with the message of the service for a link that was used or has expired
 */
export async function resume(): Promise<void> {
  const linkToken = takeLinkToken();
  try {
    token = await (linkToken === undefined ? refresh() : signInWithLink(linkToken));
    session.value = 'in';
  } catch (error) {
    session.value = 'out';
    if (linkToken !== undefined) throw error;
  }
}

/** The token in the address, which forgets it: no history and no reload has it. */
function takeLinkToken(): string | undefined {
  if (location.pathname !== '/sign-in') return undefined;
  const found = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  history.replaceState(null, '', '/');
  return found;
}

/** The authorization code with PKCE (RFC 7636). */
async function signInWithLink(linkToken: string): Promise<Token> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const codeChallenge = base64url(new Uint8Array(digest));
  const { code } = await send('/api/v1/sign-in/verify', { token: linkToken, codeChallenge });
  return requestToken({ grant_type: 'authorization_code', code: String(code), code_verifier: verifier });
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** A refresh token works once: only one tab at a time uses the cookie. */
async function refresh(): Promise<Token> {
  return navigator.locks.request('session', () => requestToken({ grant_type: 'refresh_token' }));
}

/** Signs in with the client of a service account. @throws with the message of the service */
export async function signInWithClient(client: Client): Promise<void> {
  const ask = () => requestToken({ grant_type: 'client_credentials', ...client });
  token = await ask();
  renew = ask;
  session.value = 'in';
}

/** Also ends the session in the service, so that its cookie opens nothing. */
export async function signOut(): Promise<void> {
  const authorization = token && `Bearer ${token.text}`;
  token = undefined;
  renew = refresh;
  session.value = 'out';
  if (authorization)
    await fetch('/api/v1/users/me/sessions/current', { method: 'DELETE', headers: { authorization } }).catch(
      () => undefined,
    );
}

async function requestToken(body: Record<string, string>): Promise<Token> {
  const { access_token: text, expires_in: seconds } = await send('/api/v1/oauth/token', body);
  return { text: String(text), endsAt: Date.now() + Number(seconds) * 1_000 };
}

async function send(path: string, body: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: Record<string, unknown> = await response.json();
  if (response.ok) return answer;
  throw new Error(typeof answer.message === 'string' ? answer.message : texts.errors.status(response.status));
}
