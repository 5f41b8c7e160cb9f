import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error the library has no types
import * as library from 'oidc-provider';

/** The person who is signed in at the provider, with the claims about them. */
export type OidcAccount = { sub: string } & Record<string, unknown>;

export type OidcProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Replaces the keys, as a provider does that rotates them. */
  rotate(): void;
  /** The person at the browsers that come next. */
  expect(visitor: OidcAccount): void;
  /** The browser of a person goes to an address of the provider, signs in there, and is led back. @returns the address it is led to */
  visit(url: string, account: OidcAccount): Promise<string>;
  stop(): Promise<void>;
};

type Context = { oidc: { client: { clientId: string }; session: { accountId: string } } };
type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> };
type Provider = {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  Grant: new (of: { clientId: string; accountId: string }) => Grant;
};
const { default: OidcLibrary } = library as { default: new (issuer: string, configuration: object) => Provider };

const CLIENT = { clientId: 'exposure', clientSecret: 'a-secret-of-the-client-0123456789' };
const SCOPES = 'openid email profile groups';

/** The provider of the library `oidc-provider` on the loopback. Who asks to sign in is signed in as the next account. */
export async function startOidcProvider(redirectUris: () => string[]): Promise<OidcProvider> {
  let account: OidcAccount = { sub: 'nobody' };
  let provider: Provider | undefined;
  let known = '';
  let key = newKey();
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/interaction/'))
      return void current().interactionFinished(request, response, { login: { accountId: account.sub } });
    current().callback()(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** The library takes its clients and keys at the start only. */
  function current(): Provider {
    const uris = redirectUris();
    if (provider && known === uris.join()) return provider;
    known = uris.join();
    const made: Provider = new OidcLibrary(
      issuer,
      configuration(
        uris,
        key,
        () => account,
        () => made,
      ),
    );
    provider = made;
    return made;
  }

  return {
    issuer,
    ...CLIENT,
    rotate() {
      key = newKey();
      provider = undefined;
    },
    expect(visitor) {
      account = visitor;
    },
    visit(url, visitor) {
      account = visitor;
      return followed(url, issuer);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

let keys = 0;

function newKey(): object {
  keys += 1;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: `key-${keys}`, use: 'sig', alg: 'RS256' };
}

function configuration(uris: string[], key: object, account: () => OidcAccount, provider: () => Provider): object {
  return {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: uris }],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of the cookies of the provider'] },
    scopes: SCOPES.split(' '),
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['name', 'departments', 'zoneinfo', 'locale'],
      groups: ['groups'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => account() }),
    async loadExistingGrant({ oidc: { client, session } }: Context) {
      const grant = new (provider().Grant)({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  };
}

const MAX_STEPS = 10;

/** Follows redirections with the cookies of one browser until they leave the provider. */
async function followed(from: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = from;
  for (let n = 0; n < MAX_STEPS; n++) {
    if (!url.startsWith(issuer)) return url;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (name !== undefined) cookies.set(name, value ?? '');
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`the provider answers ${answer.status}: ${await answer.text()}`);
    url = new URL(location, url).href;
  }
  throw new Error('the provider leads in circles');
}
