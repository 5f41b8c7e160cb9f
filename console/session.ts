import { signal } from '@preact/signals';
import { newPasskey, usedPasskey } from './passkey.ts';
import { texts } from './texts.ts';

/**
 * The session of the person at this page. The access token is in memory only. A cookie that scripts cannot read renews it, also
 * after a reload.
 */
export type Token = {
  text: string;
  endsAt: number;
  role: string;
  /** Tokens of staff end the session with them: the cookie may be somebody else's. */
  isOfStaff?: true;
};

export const session = signal<'unknown' | 'out' | 'in'>('unknown');

/** The role of the session, as the token says. */
export const role = signal('');

let token: Token | undefined;
let renewing: Promise<Token> | undefined;

/** A token is renewed a minute before it ends. */
const EARLY_MS = 60_000;

/** @throws when the session has ended */
export async function accessToken(): Promise<string> {
  if (token && token.endsAt - EARLY_MS > Date.now()) return token.text;
  if (token?.isOfStaff) endStaff();
  renewing ??= refresh().finally(() => {
    renewing = undefined;
  });
  try {
    return use(await renewing).text;
  } catch (error) {
    session.value = 'out';
    throw error;
  }
}

function use(next: Token): Token {
  token = next;
  role.value = next.role;
  return next;
}

/** The session goes on with another token. @returns the one before */
export function switchToken(next: Token): Token | undefined {
  const before = token;
  use(next);
  enter();
  return before;
}

/** The service refused the token, or only what it asked for: a new one may open it. A token of staff has no other. */
export function forgetToken(isRefused: boolean): void {
  if (token?.isOfStaff && !isRefused) return;
  if (token?.isOfStaff) session.value = 'out';
  token = undefined;
}

function endStaff(): never {
  forgetToken(true);
  throw new Error(texts.errors.ended);
}

/** The pages of links in letters: what each link opens. */
const LINKS = { '/sign-in': 'sign_in', '/invitation': 'invitation', '/sign-up': 'trial' } as const;
type Page = keyof typeof LINKS;
const PAGES: readonly Page[] = ['/sign-in', '/invitation', '/sign-up'];

type Link = { opens: (typeof LINKS)[Page]; token: string };

/** A link whose token is used once the person has confirmed it on a page. */
export const openedLink = signal<Link | undefined>(undefined);

/** The message of the service about a link that was used or has expired. */
export const refusedLink = signal<string | undefined>(undefined);

/** A sign-in that goes on with a code of an authenticator app; `offer` where the app is set up first. */
type Step = { ticket: string; verifier: string; offer?: { secret: string; uri: string } };
export const step = signal<Step | undefined>(undefined);

/** The recovery codes of a new app, which are shown once, before the console. */
export const recoveryCodes = signal<readonly string[]>([]);

/**
 * Begins with the link that the person opened (`/sign-in#token=...`), the answer of an identity provider, or the session of
 * an earlier visit.
 */
export async function resume(): Promise<void> {
  const callback = takeCallback();
  const link = takeLink();
  if (link && link.opens !== 'sign_in') {
    openedLink.value = link;
    session.value = 'out';
    return;
  }
  try {
    const found = await (callback ? finish(callback) : link ? follow(link.token) : refresh());
    session.value = found && use(found) ? 'in' : 'out';
  } catch (error) {
    if ((callback || link) && error instanceof Error) refusedLink.value = error.message;
    session.value = 'out';
  }
}

/** The name under which the page keeps the verifier while the browser is at the identity provider. */
const VERIFIER = 'sign-in-verifier';
/** The address of the test of a provider. */
const BACK = 'sign-in-back';

export type Provider = { id: string; name: string; required: boolean };

/** The identity provider of an address. */
export async function providerOf(email: string): Promise<Provider | undefined> {
  const { provider } = await send('/api/v1/sign-in/provider/find', { email });
  return provider ? (provider as Provider) : undefined;
}

/** Leads the browser to the identity provider. */
export const goToProvider = ({ id }: Provider): Promise<void> =>
  leadAway((codeChallenge) => send('/api/v1/sign-in/provider/begin', { provider: id, codeChallenge }));

/** Leads the browser to an identity provider that an administrator tests, and back to this page. */
export async function testProvider(begin: (codeChallenge: string) => Promise<{ url: string }>): Promise<void> {
  sessionStorage.setItem(BACK, location.pathname + location.search);
  await leadAway(begin);
}

async function leadAway(begin: (codeChallenge: string) => Promise<{ url?: unknown }>): Promise<void> {
  const { verifier, codeChallenge } = await proofKey();
  const { url } = await begin(codeChallenge);
  sessionStorage.setItem(VERIFIER, verifier);
  location.assign(String(url));
}

type Callback = { address: string; verifier: string };

/** The answer of an identity provider, which the address forgets. */
function takeCallback(): Callback | undefined {
  if (!location.pathname.startsWith('/sign-in/callback/')) return undefined;
  const verifier = sessionStorage.getItem(VERIFIER);
  // the page of a test that began elsewhere keeps its address, to be copied
  if (verifier === null) return undefined;
  const address = location.href;
  sessionStorage.removeItem(VERIFIER);
  history.replaceState(null, '', '/');
  return { address, verifier };
}

/** A test of a provider signs nobody in: the administrator goes on where the test began. */
async function finish({ address, verifier }: Callback): Promise<Token> {
  const answer = await send('/api/v1/sign-in/provider/finish', { callback: address, codeVerifier: verifier });
  if (answer.status !== 'tested') return exchange(answer.code, verifier);
  history.replaceState(null, '', sessionStorage.getItem(BACK) ?? '/');
  sessionStorage.removeItem(BACK);
  return refresh();
}

/** The token in the address, which forgets it: no history and no reload has it. */
function takeLink(): Link | undefined {
  const page = PAGES.find((one) => one === location.pathname);
  if (page === undefined) return undefined;
  const found = new URLSearchParams(location.hash.slice(1)).get('token');
  // without a token, people sign up on this page
  if (found !== null || page !== '/sign-up') history.replaceState(null, '', '/');
  return found === null ? undefined : { opens: LINKS[page], token: found };
}

/** The authorization code with PKCE (RFC 7636). */
async function follow(linkToken: string): Promise<Token | undefined> {
  const { verifier, codeChallenge } = await proofKey();
  return goOn(await send('/api/v1/sign-in/verify', { token: linkToken, codeChallenge }), verifier);
}

type Answer = { status?: unknown; code?: unknown; ticket?: unknown };

/** @returns undefined where a second step comes first */
async function goOn({ status = 'signed_in', code, ticket }: Answer, verifier: string): Promise<Token | undefined> {
  if (status === 'signed_in') return exchange(code, verifier);
  const next = { ticket: String(ticket), verifier };
  step.value = status === 'enrolment' ? { ...next, offer: await offerOf(next.ticket) } : next;
  return undefined;
}

/** Uses the token of a link that the person has confirmed. @throws with the message of the service */
export async function confirmLink(confirm: (codeChallenge: string) => Promise<Answer>): Promise<void> {
  const { verifier, codeChallenge } = await proofKey();
  const found = await goOn(await confirm(codeChallenge), verifier);
  openedLink.value = undefined;
  if (found) switchToken(found);
}

async function proofKey(): Promise<{ verifier: string; codeChallenge: string }> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, codeChallenge: base64url(new Uint8Array(digest)) };
}

const exchange = (code: unknown, verifier: string): Promise<Token> =>
  requestToken({ grant_type: 'authorization_code', code: String(code), code_verifier: verifier });

async function offerOf(ticket: string): Promise<{ secret: string; uri: string }> {
  const { secret, uri } = await send('/api/v1/sign-in/enrolment', { ticket });
  return { secret: String(secret), uri: String(uri) };
}

/** Ends the sign-in with a code of the app, or with a recovery code. @throws with the message of the service */
export async function takeStep({ ticket, verifier, offer }: Step, code: string): Promise<void> {
  const path = offer ? '/api/v1/sign-in/enrolment/confirm' : '/api/v1/sign-in/second-step';
  await finishStep(await send(path, { ticket, code }), verifier);
}

async function finishStep(answer: Record<string, unknown>, verifier: string): Promise<void> {
  use(await exchange(answer.code, verifier));
  step.value = undefined;
  if (Array.isArray(answer.recoveryCodes)) recoveryCodes.value = answer.recoveryCodes.map(String);
  else enter();
}

/** Signs in with a passkey, which names the person. @throws with the message of the service or the browser */
export async function signInWithPasskey(): Promise<void> {
  const { verifier, codeChallenge } = await proofKey();
  const { code } = await send('/api/v1/sign-in/passkey', { passkey: await signedChallenge(), codeChallenge });
  switchToken(await exchange(code, verifier));
}

/** Ends the sign-in with a passkey: one that is there, or a new one where the second step is set up first. */
export async function takeStepByPasskey({ ticket, verifier, offer }: Step): Promise<void> {
  const answer = offer ? await enrolPasskey(ticket) : await takePasskey(ticket);
  await finishStep(answer, verifier);
}

const takePasskey = async (ticket: string) =>
  send('/api/v1/sign-in/second-step', { ticket, passkey: await signedChallenge() });

async function enrolPasskey(ticket: string) {
  const options = await send('/api/v1/sign-in/enrolment/passkey/options', { ticket });
  const passkey = await newPasskey(options);
  return send('/api/v1/sign-in/enrolment/passkey', { ticket, passkey, name: texts.signIn.passkey.name });
}

const signedChallenge = async () => usedPasskey(await send('/api/v1/sign-in/passkey/options', {}));

/** Shows the console to the person who has signed in. */
export function enter(): void {
  recoveryCodes.value = [];
  session.value = 'in';
}

/** Sends a letter with a link, if a person has this address. @throws with the message of the service */
export async function askForLink(email: string): Promise<void> {
  await send('/api/v1/sign-in/link', { email });
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

/** Also ends the session in the service, so that its cookie opens nothing. */
export async function signOut(): Promise<void> {
  const authorization = token && !token.isOfStaff && `Bearer ${token.text}`;
  token = undefined;
  session.value = 'out';
  if (authorization)
    await fetch('/api/v1/users/me/sessions/current', { method: 'DELETE', headers: { authorization } }).catch(
      () => undefined,
    );
}

/** @throws with the message of the service */
export async function requestToken(body: Record<string, string>): Promise<Token> {
  const { access_token: text, expires_in: seconds, scope } = await send('/api/v1/oauth/token', body);
  return {
    text: String(text),
    endsAt: Date.now() + Number(seconds) * 1_000,
    role: String(scope).replace('role:', ''),
  };
}

async function send(path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: Record<string, unknown> = await response.json();
  if (response.ok) return answer;
  throw new Error(typeof answer.message === 'string' ? answer.message : texts.errors.status(response.status));
}
