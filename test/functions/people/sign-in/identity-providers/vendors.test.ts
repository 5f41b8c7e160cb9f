import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { mappedRole, mappedTeams } from '#functions/people/sign-in/identity-providers/mapping.ts';
import { oidc } from '#functions/people/sign-in/identity-providers/oidc.ts';
import { identityProviders } from '#shared/people/identity-provider.ts';
import { PUBLIC_ADDRESS, publicNetwork } from '../../../../support/network.ts';
import { startSystem } from '../../../../support/system.ts';

/*
 * Documents and claims in the shapes that the vendors publish. `idToken` and `userinfo`: what each of both has.
 * https://learn.microsoft.com/entra/identity-platform/v2-protocols-oidc and /id-token-claims-reference
 * https://developer.okta.com/docs/guides/customize-tokens-groups-claim
 * https://developers.google.com/identity/openid-connect/reference
 * https://www.keycloak.org/docs/latest/server_admin/#_protocol-mappers
 */
type Vendor = { issuer: string; document: object; idToken: object; userinfo: object };

const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';

const entra = (groups: object, named = TENANT): Vendor => {
  const base = `https://login.microsoftonline.com/${named}`;
  return {
    issuer: `${base}/v2.0`,
    document: {
      issuer: `https://login.microsoftonline.com/${named === 'common' ? '{tenantid}' : TENANT}/v2.0`,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
      jwks_uri: `${base}/discovery/v2.0/keys`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      subject_types_supported: ['pairwise'],
    },
    idToken: {
      iss: `https://login.microsoftonline.com/${TENANT}/v2.0`,
      ...{
        tid: TENANT,
        oid: 'c5fb1e4e-0000-4000-8000-000000000001',
        ver: '2.0',
        email: 'Ana@Example.org',
        xms_edov: 1,
      },
      name: 'Ana Lima',
      preferred_username: 'ana@example.org',
      ...groups,
    },
    userinfo: { name: 'Ana Lima', email: 'Ana@Example.org' },
  };
};

const okta: Vendor = {
  issuer: 'https://example.okta.com',
  document: {
    issuer: 'https://example.okta.com',
    authorization_endpoint: 'https://example.okta.com/oauth2/v1/authorize',
    token_endpoint: 'https://example.okta.com/oauth2/v1/token',
    userinfo_endpoint: 'https://example.okta.com/oauth2/v1/userinfo',
    jwks_uri: 'https://example.okta.com/oauth2/v1/keys',
    scopes_supported: ['openid', 'email', 'profile', 'address', 'phone', 'offline_access', 'groups'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'client_secret_jwt', 'none'],
    subject_types_supported: ['public'],
  },
  idToken: { ver: 1, amr: ['pwd'], idp: '00oixa26ycdNcX0VT0h7', email: 'ana@example.org', name: 'Ana Lima' },
  userinfo: { email: 'ana@example.org', email_verified: true, zoneinfo: 'Europe/Lisbon', groups: ['Everyone', 'soc'] },
};

const google = (more: object): Vendor => ({
  issuer: 'https://accounts.google.com',
  document: {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
    jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    subject_types_supported: ['public'],
  },
  idToken: { azp: 'client', email: 'ana@example.org', email_verified: true, name: 'Ana Lima', ...more },
  userinfo: { email: 'ana@example.org', email_verified: true, name: 'Ana Lima', picture: 'https://lh3.example/a' },
});

const keycloak: Vendor = {
  issuer: 'https://login.example/realms/company',
  document: {
    issuer: 'https://login.example/realms/company',
    authorization_endpoint: 'https://login.example/realms/company/protocol/openid-connect/auth',
    token_endpoint: 'https://login.example/realms/company/protocol/openid-connect/token',
    userinfo_endpoint: 'https://login.example/realms/company/protocol/openid-connect/userinfo',
    jwks_uri: 'https://login.example/realms/company/protocol/openid-connect/certs',
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
    subject_types_supported: ['public', 'pairwise'],
  },
  idToken: { typ: 'ID', azp: 'client', sid: 'a-session', acr: '1', email: 'ana@example.org', email_verified: true },
  userinfo: { name: 'Ana Lima', realm_access: { roles: ['offline_access', 'soc', 'default-roles-company'] } },
};

const system = startSystem();
const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
let vendor: Vendor;
let nonce = '';
const forms: URLSearchParams[] = [];

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString('utf8');
  const path = request.url ?? '';
  const answer = (value: unknown) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  if (path.endsWith('/.well-known/openid-configuration')) return answer({ ...COMMON, ...vendor.document });
  if (/keys$|certs$/.test(path)) return answer({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k', use: 'sig' }] });
  if (/userinfo$/.test(path)) return answer({ sub: 'subject-1', ...vendor.userinfo });
  forms.push(new URLSearchParams(body));
  return answer({ access_token: 'a', token_type: 'Bearer', expires_in: 3600, id_token: await signed() });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const COMMON = { response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] };

const signed = () =>
  new SignJWT({ iss: vendor.issuer, sub: 'subject-1', aud: 'client', nonce, ...vendor.idToken })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);

const NAMES = ['login.microsoftonline.com', 'graph.microsoft.com', 'example.okta.com', 'accounts.google.com'];
const MORE = ['oauth2.googleapis.com', 'openidconnect.googleapis.com', 'www.googleapis.com'];
const network = {
  ...publicNetwork(Object.fromEntries([...NAMES, ...MORE].map((name) => [name, [PUBLIC_ADDRESS]]))),
  connect: async () => connect((server.address() as AddressInfo).port, '127.0.0.1'),
};

/** The person who signs in at the vendor, as the service knows them then. */
async function signIn(at: Vendor, scopes = ['openid', 'email', 'profile']) {
  vendor = at;
  forms.length = 0;
  const { admin, table } = await system.newOrganization();
  const draft = await admin.ok('createIdentityProvider', { body: { kind: 'oidc', name: 'Login' } });
  const settings = { oidc: { issuer: at.issuer, clientId: 'client', scopes }, clientSecret: 'a secret of the client' };
  await admin.ok('updateIdentityProvider', { params: { id: draft.id }, body: settings });
  const provider = await table.get(identityProviders, draft.id, true);
  const context = { connections: { ...system.connections, network }, table };
  const about = { provider, redirectUri: 'https://service.example/sign-in/callback/1', state: 'state-1' };
  const { url, kept } = await oidc.begin(context, about);
  nonce = kept.nonce ?? '';
  const callback = new URL(
    `${about.redirectUri}?code=c&state=state-1&iss=${encodeURIComponent(String(Reflect.get(at.document, 'issuer')))}`,
  );
  const person = await oidc.finish(context, { ...about, kept, callback });
  return { person, table, url: new URL(url) };
}

const row = (claim: string, equals: string) => [{ claim, equals, roleId: 'analyst', teamId: 'team-1' }];

describe('Entra ID', () => {
  const mapping = row('groups', 'a-group');

  test('gives groups by their ids, and vouches for an address of a domain of the tenant', async () => {
    const { person, table, url } = await signIn(entra({ groups: ['a-group'] }));
    expect(url.href).toMatch(/^https:\/\/login\.microsoftonline\.com\/8eaef023.*code_challenge_method=S256/);
    expect(person).toMatchObject({ subject: 'subject-1', email: 'ana@example.org', emailVerified: true });
    expect(await mappedRole(table, { mapping }, person.claims)).toEqual({ roleId: 'analyst' });
  });

  test('names a source in place of too many groups: the role and the teams stay', async () => {
    const overage = {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: 'https://graph.microsoft.com/v1.0/users/1/getMemberObjects' } },
    };
    const { person, table } = await signIn(entra(overage));
    expect(await mappedRole(table, { mapping }, person.claims)).toBeUndefined();
    expect(mappedTeams(mapping, person.claims).size).toBe(0);
  });

  test('of no one tenant would sign in everybody with an account at Microsoft, and is refused', async () => {
    await expect(signIn(entra({ groups: [] }, 'common'))).rejects.toMatchObject({
      reason: 'invalid_answer',
      message: expect.stringMatching(/\{tenantid\}.*tenant id/),
    });
    await expect(signIn(entra({ groups: [] }, 'example.onmicrosoft.com'))).rejects.toMatchObject({
      message: expect.stringContaining(TENANT),
    });
  });
});

test('Okta gives groups to who asks for the scope, beside the ID token', async () => {
  const { person, table, url } = await signIn(okta, ['openid', 'email', 'profile', 'groups']);
  expect(url.searchParams.get('scope')).toBe('openid email profile groups');
  expect(person).toMatchObject({ email: 'ana@example.org', emailVerified: true, name: 'Ana Lima' });
  expect(await mappedRole(table, { mapping: row('groups', 'soc') }, person.claims)).toEqual({ roleId: 'analyst' });
  expect([...mappedTeams(row('groups', 'soc'), person.claims)]).toEqual([['team-1', true]]);
});

describe('Google', () => {
  test('vouches for an address of a customer who owns the domain', async () => {
    const { person } = await signIn(google({ hd: 'example.org' }));
    expect(person).toMatchObject({ email: 'ana@example.org', emailVerified: true, claims: { hd: 'example.org' } });
  });

  test('vouches for no address of a private account, which somebody keeps who has left the company', async () => {
    const { person } = await signIn(google({}));
    expect(person).toMatchObject({ email: 'ana@example.org', emailVerified: false });
  });
});

test('Keycloak gives roles of the realm in an object, from userinfo as well', async () => {
  const { person, table } = await signIn(keycloak);
  expect(person).toMatchObject({ email: 'ana@example.org', emailVerified: true, name: 'Ana Lima' });
  expect(await mappedRole(table, { mapping: row('realm_access.roles', 'soc') }, person.claims)).toEqual({
    roleId: 'analyst',
  });
  expect(await mappedRole(table, { mapping: row('realm_access.roles', 'admins') }, person.claims)).toEqual({
    roleId: 'viewer',
  });
  expect(
    await mappedRole(table, { mapping: row('resource_access.client.roles', 'soc') }, person.claims),
  ).toBeUndefined();
});
