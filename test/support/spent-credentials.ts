import { createApiKey, createLinkToken, createServiceAccount } from '#shared/credentials/issue.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { personIn } from './people.ts';
import type { TestOrganization, TestSystem } from './system.ts';

/** Credentials that were good once, or are good for somebody else. */
export async function spentCredentials(system: TestSystem, ours: TestOrganization, theirs: TestOrganization) {
  const scopes = ['findings:read', 'findings:write'] as const;
  const key = await ours.admin.ok('createApiKey', { body: { name: 'ci', scopes: [...scopes] } });
  const revokedKeyToken = await accessToken(system, { id: key.clientId, secret: key.secret });
  await ours.admin.ok('revokeApiKey', { params: { id: key.id } });
  const over = await createApiKey(ours.table, { name: 'over', scopes: [...scopes], expiresAt: inSeconds(-1) });
  return {
    ...(await spentLinkTokens(system, ours)),
    ...(await tokensOfPeopleWhoLeft(system, ours)),
    revokedKey: key.secret,
    revokedKeyToken,
    expiredKey: over.secret,
    rewrittenToken: await tokenNaming(ours, { system, from: theirs }),
  };
}

async function spentLinkTokens(system: TestSystem, { table, linkToken }: TestOrganization) {
  const limits = { kind: 'scanner', maxUses: 1, zone: null, group: null } as const;
  const expired = await createLinkToken(table, { ...limits, expiresAt: inSeconds(-1) });
  const usedLink = await linkToken('scanner');
  await system.client().ok('linkScanner', { body: { linkToken: usedLink, name: 'north' } });
  return { expiredLink: expired.linkToken, usedLink };
}

/** Access tokens whose fifteen minutes are not over: after a sign-out, of somebody who left, and of somebody who is suspended. */
async function tokensOfPeopleWhoLeft(system: TestSystem, ours: TestOrganization) {
  const [signedOut, deactivated, suspended] = [
    await personIn(system, ours, { role: 'owner' }),
    await personIn(system, ours, { role: 'admin' }),
    await personIn(system, ours, { role: 'admin' }),
  ];
  await signedOut.client.ok('endMySession', { params: { id: 'current' } });
  await ours.admin.ok('deactivateUser', { params: { id: deactivated.id } });
  await ours.admin.ok('suspendUser', { params: { id: suspended.id } });
  return {
    signedOutPerson: signedOut.accessToken,
    deactivatedPerson: deactivated.accessToken,
    suspendedPerson: suspended.accessToken,
  };
}

async function accessToken(system: TestSystem, { id, secret }: { id: string; secret: string }): Promise<string> {
  const body = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
  return (await system.client().ok('issueToken', { body })).access_token;
}

type Source = { system: TestSystem; from: TestOrganization };

/** A token of another organization, with this one written into it under the signature of before. */
async function tokenNaming({ organizationId }: TestOrganization, { system, from }: Source): Promise<string> {
  const { clientId, clientSecret } = await createServiceAccount(from.table, { name: 'curious', role: 'admin' });
  const token = await accessToken(system, { id: clientId, secret: clientSecret });
  const [header, claims = '', signature] = token.split('.');
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), org: organizationId };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}
