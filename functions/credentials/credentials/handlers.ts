import { apiKeys } from '#shared/credentials/api-key.ts';
import { linkTokenAsOfNow } from '#shared/credentials/credential-status.ts';
import { assertMayGive } from '#shared/credentials/give-role.ts';
import { createApiKey, createLinkToken } from '#shared/credentials/issue.ts';
import { linkTokens } from '#shared/credentials/link-token.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { heldRole } from '#shared/credentials/role.ts';
import { holdersOf } from '#shared/credentials/second-person.ts';
import { serviceAccounts } from '#shared/credentials/service-account.ts';
import { releaseMachine, rotateSecret } from '#shared/platform/auth/credential.ts';
import { isStaffRole } from '#shared/platform/auth/permissions.ts';
import { type CredentialId, formatClientId, formatClientSecret } from '#shared/platform/auth/token-format.ts';
import { showEach, showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { inSeconds } from '#shared/platform/runtime/clock.ts';
import { conflict, notFound } from '#shared/platform/runtime/errors.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { assertTokenGroup } from '#shared/scanning/scanners/token-group.ts';
import { currentCredential } from './current-credential.ts';
import { supportGrantHandlers } from './grant-handlers.ts';
import { publisherHandlers } from './publisher-handlers.ts';
import { revokeAccount } from './revoke-account.ts';
import type { credentialRoutes } from './routes.ts';
import { assertMayGiveScopes, assertMayLink, boundOf, endOfLife, linkTokenEnd } from './rules.ts';
import { createAccount, updateAccount } from './service-accounts.ts';
import { showCredential, showCredentials } from './show.ts';

export const credentialHandlers: Handlers<typeof credentialRoutes> = {
  ...supportGrantHandlers,
  ...publisherHandlers,

  getCurrentCredential: ({ table, caller }) => currentCredential(table, caller),

  async createApiKey({ table, caller, body }) {
    assertMayGiveScopes(caller, body.scopes);
    const boundTo = boundOf(body);
    return createApiKey(table, { ...body, boundTo, expiresAt: await endOfLife(table, body.expiresAt) });
  },

  listApiKeys: ({ table, query }) =>
    showPage(table.list(apiKeys, ofMaker(query)), (found) => showCredentials(table, found)),

  getApiKey: async ({ table, params }) => showCredential(table, await table.get(apiKeys, params.id)),

  revokeApiKey: ({ table, params }) => revoke(table, apiKeys, params.id),

  createServiceAccount: createAccount,

  listServiceAccounts: ({ table, query }) =>
    showPage(table.list(serviceAccounts, query), (found) => showCredentials(table, found)),

  getServiceAccount: async ({ table, params }) => showCredential(table, await table.get(serviceAccounts, params.id)),

  updateServiceAccount: updateAccount,

  revokeServiceAccount: revokeAccount,

  async rotateServiceAccountSecret({ table, caller, params, body }) {
    const account = await table.get(serviceAccounts, params.id);
    assertMayGive(caller, await heldRole(table, account));
    if (account.revokedAt !== null) throw conflict('This service account was revoked.');
    const isOthers = isStaffRole(account.role) && account.id !== caller.id;
    return rotate(table, account.id, { ...body, makers: isOthers ? await holdersOf(table, caller.id) : [] });
  },

  async createLinkToken({ table, caller, body }) {
    assertMayLink(caller, body.kind);
    await assertTokenGroup(table, body);
    return createLinkToken(table, { ...body, expiresAt: linkTokenEnd(body.expiresAt) });
  },

  listLinkTokens: ({ table, query }) => showEach(table.list(linkTokens, ofMaker(query)), linkTokenAsOfNow),

  getLinkToken: async ({ table, params }) => linkTokenAsOfNow(await table.get(linkTokens, params.id)),

  revokeLinkToken: ({ table, params }) => revoke(table, linkTokens, params.id),

  releaseMachine: async ({ table: { dynamo, organizationId }, params: { id } }) => ({
    id,
    releasedUntil: await releaseMachine(dynamo, { organizationId, id }),
  }),

  rotateMachineSecret({ table, caller, body: { overlapSeconds } }) {
    const issuedUnder = caller.kind === 'machine' ? (caller.generation ?? 0) : undefined;
    return rotate(table, caller.id, { overlapSeconds, issuedUnder });
  },
};

const ofMaker = ({ createdById, ...page }: { createdById?: string | undefined } & PageRange) => ({
  ...page,
  ...(createdById !== undefined && { where: { createdBy: createdById } }),
});

async function rotate(table: Table, id: string, how: Parameters<typeof rotateSecret>[2]) {
  const where: CredentialId = { organizationId: table.organizationId, id };
  const secret = await rotateSecret(table.dynamo, where, how);
  if (!secret) throw notFound('credential', id);
  const previousWorksUntil = inSeconds(how.overlapSeconds);
  return { id, clientId: formatClientId(where), clientSecret: formatClientSecret(secret), previousWorksUntil };
}
