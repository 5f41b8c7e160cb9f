import { identityProviders } from '#shared/people/identity-provider.ts';
import { domainWrite } from '#shared/people/proved-domain.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import { type OidcAccount, type OidcProvider, startOidcProvider } from './oidc-provider.ts';
import { exchange, proofKey, type SignedIn } from './sign-in.ts';
import type { TestOrganization, TestSystem } from './system.ts';

type Mapping = { claim: string; equals: string; roleId?: string; teamId?: string };
type Wanted = { mapping?: Mapping[]; enforcement?: 'off' | 'mixed' | 'enforced' };

/** Sign-ins at a provider that all tests of a file share, each with connections of its own. */
export async function providerWorld(system: TestSystem) {
  const redirectUris: string[] = [];
  const oidc = await startOidcProvider(() => redirectUris);

  /** A draft with the settings of the provider. */
  async function connect({ admin }: TestOrganization, wanted: Wanted = {}) {
    const draft = await admin.ok('createIdentityProvider', {
      body: { kind: 'oidc', name: 'Example login', ...wanted },
    });
    redirectUris.push(draft.setup.redirectUri);
    return admin.ok('updateIdentityProvider', { params: { id: draft.id }, body: settingsOf(oidc) });
  }

  /** An active connection with a proved domain, without the minutes that DNS takes. */
  async function activate(organization: TestOrganization, wanted: Wanted = {}) {
    const { id } = await connect(organization, wanted);
    const domain = `${newId()}.example`;
    const params = { id };
    await organization.admin.ok('addProviderDomain', { params, body: { name: domain } });
    await prove(organization, id, domain);
    await tryOut(organization, id);
    const provider = await organization.admin.ok('activateIdentityProvider', { params });
    return { id, domain, provider, account: (name: string, claims = {}) => accountAt(domain, name, claims) };
  }

  async function tryOut({ admin }: TestOrganization, id: string, account = accountAt('elsewhere.example', 'test')) {
    const { verifier, codeChallenge } = proofKey();
    const { url } = await admin.ok('testIdentityProvider', { params: { id }, body: { codeChallenge } });
    const callback = await oidc.visit(url, account);
    await system.client().ok('finishProviderSignIn', { body: { callback, codeVerifier: verifier } });
    return admin.ok('getIdentityProviderTest', { params: { id } });
  }

  /** The beginning of a sign-in of a person with this address. */
  async function begin(email: string) {
    const { provider } = await system.client().ok('findSignInProvider', { body: { email } });
    const { verifier, codeChallenge } = proofKey();
    const body = { provider: provider?.id ?? '', codeChallenge };
    return { ...(await system.client().ok('beginProviderSignIn', { body })), verifier };
  }

  /** The end of a sign-in, whatever the service answers. `change` is made on the way to the provider. */
  async function attempt(account: OidcAccount, { at = String(account.email), change = (url: URL) => url } = {}) {
    const { url, verifier } = await begin(at);
    const callback = await oidc.visit(change(new URL(url)).href, account);
    const answer = await system.client().call('finishProviderSignIn', { body: { callback, codeVerifier: verifier } });
    return { answer, verifier, callback };
  }

  async function signIn(account: OidcAccount): Promise<SignedIn> {
    const { answer, verifier } = await attempt(account);
    if (answer.status !== 200) throw new Error(`the sign-in is refused: ${answer.body.message}`);
    return exchange(system.client(), answer.body.code ?? '', verifier);
  }

  return { oidc, connect, activate, prove, tryOut, begin, attempt, signIn };
}

/** The proof that a domain belongs to the provider. */
export async function prove(
  { table, organizationId }: Pick<TestOrganization, 'table' | 'organizationId'>,
  id: string,
  domain: string,
) {
  const current = await table.get(identityProviders, id, true);
  const domains = current.domains.map((one) => (one.name === domain ? { ...one, status: 'verified' as const } : one));
  await table.update(identityProviders, current, { domains }, (batch) =>
    batch.write(domainWrite({ domain, organizationId, providerId: id })),
  );
}

const settingsOf = ({ issuer, clientId, clientSecret }: OidcProvider) => ({
  oidc: { issuer, clientId, scopes: ['openid', 'email', 'profile', 'groups'] },
  clientSecret,
});

/** A person at the provider whose address it has verified. */
export const accountAt = (domain: string, name: string, claims: object = {}): OidcAccount => ({
  sub: `${name}-${newId()}`,
  email: `${name}@${domain}`,
  email_verified: true,
  name: `${name} of the provider`,
  ...claims,
});
