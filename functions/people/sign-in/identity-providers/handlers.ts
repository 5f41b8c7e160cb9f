import { assertMayGive } from '#shared/credentials/give-role.ts';
import { roleToGive } from '#shared/credentials/role.ts';
import { removeSecret, sealWrite } from '#shared/credentials/sealed.ts';
import { assertPartExists } from '#shared/exposure/applications/part.ts';
import {
  type IdentityProvider,
  identityProviders,
  isProved,
  MAX_PROVIDERS,
  NO_ROLE,
  providerStates,
} from '#shared/people/identity-provider.ts';
import { assertMayAppoint } from '#shared/people/owners.ts';
import { freedBy } from '#shared/people/proved-domain.ts';
import { teams } from '#shared/people/team.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { pageOfArray, showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { now } from '#shared/platform/runtime/clock.ts';
import { conflict, fixedLimit, invalid, notFound } from '#shared/platform/runtime/errors.ts';
import { nextState } from '#shared/platform/runtime/state-machine.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Write } from '#shared/platform/table/io/commit.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { failedAttempts, forgetAttempts, lastErrors } from './attempts.ts';
import { addDomain, removeDomain, verifyDomain } from './domains.ts';
import { type IdentityProviderView, type identityProviderRoutes, IdentityProviderView as Shown } from './routes.ts';
import { settingsIn } from './saml.ts';
import { partyOf, redirectUriOf } from './setup.ts';
import { beginAt } from './sign-in.ts';
import { forgetTest, lastTest } from './test-result.ts';

type Routes = typeof identityProviderRoutes;

async function show(context: Context, providers: readonly IdentityProvider[]): Promise<IdentityProviderView[]> {
  const ids = providers.map(({ id }) => id);
  const errors = await lastErrors(context.table, ids);
  const scimBaseUrl = `${context.connections.settings.BASE_URL}/scim/v2`;
  return providers.map((provider) => ({
    ...provider,
    // a provider of an earlier release has none
    unmatchedRoleId: provider.unmatchedRoleId ?? 'viewer',
    setup: { redirectUri: redirectUriOf(context, provider), ...partyOf(context, provider), scimBaseUrl },
    lastError: errors.get(provider.id) ?? null,
  }));
}

async function showOne(context: Context, provider: IdentityProvider | Promise<IdentityProvider>) {
  const [shown] = await show(context, [await provider]);
  if (!shown) throw new Error('nothing is shown');
  return shown;
}

async function createIdentityProvider(call: Call<Routes['createIdentityProvider']>) {
  const { table, caller, body } = call;
  const { clientSecret, ...given } = await withMetadata(body);
  const { totalCount } = await table.list(identityProviders, { paginateFrom: 0, paginateSize: 1 });
  if (totalCount >= MAX_PROVIDERS) throw fixedLimit('An organization', MAX_PROVIDERS, 'identity providers');
  await assertMayMap(table, caller, given);
  const secretUpdatedAt = clientSecret === undefined ? null : now();
  const draft = { ...given, domains: [], problems: [], status: 'draft' as const, secretUpdatedAt };
  const provider = await table.create(identityProviders, draft, async (batch, { id }) =>
    batch.write(...(await secretWrites(call, id, clientSecret))),
  );
  return showOne(call, provider);
}

type Rules = Partial<Pick<IdentityProvider, 'mapping' | 'unmatchedRoleId'>>;

/** Nobody lets a provider give a role that they cannot give. @throws insufficient_scope, validation_failed */
async function assertMayMap(table: Table, caller: Caller, { mapping = [], unmatchedRoleId }: Rules): Promise<void> {
  if (unmatchedRoleId && unmatchedRoleId !== NO_ROLE)
    assertMayGive(caller, await roleToGive(table, unmatchedRoleId, 'unmatchedRoleId'));
  for (const [n, { roleId, scope }] of mapping.entries()) {
    if (roleId !== undefined) assertMayGive(caller, await roleToGive(table, roleId, `mapping.${n}.roleId`));
    await assertPartExists(table, scope, `mapping.${n}.scope`);
  }
  const known = new Set(
    (
      await table.findMany(
        teams,
        mapping.flatMap(({ teamId = [] }) => teamId),
      )
    ).map(({ id }) => id),
  );
  const strange = mapping.findIndex(({ teamId }) => teamId !== undefined && !known.has(teamId));
  if (strange >= 0) throw invalid(`mapping.${strange}.teamId`, 'must be the id of a team');
}

async function secretWrites(context: Context, id: string, clientSecret: string | null | undefined): Promise<Write[]> {
  if (clientSecret === undefined) return [];
  if (clientSecret === null) return [removeSecret(context.table, id)];
  return [await sealWrite(context, { purpose: 'identity-provider', id, secret: { clientSecret } })];
}

async function updateIdentityProvider(call: Call<Routes['updateIdentityProvider']>) {
  const { table, caller, params, body, ifMatch } = call;
  const { clientSecret, ...patch } = await withMetadata(body);
  const current = await table.get(identityProviders, params.id, true);
  const shown = await showOne(call, current);
  const changes = mergePatch(Shown, shown, { patch, ifMatch });
  if (!changes && clientSecret === undefined) return shown;
  const { setup: _setup, lastError: _lastError, ...wanted } = changes ?? {};
  await assertMayMap(table, caller, wanted);
  if (current.status === 'active' && wanted.saml !== undefined) await assertMayTrust(table, caller);
  const next = {
    ...wanted,
    ...(clientSecret !== undefined && { secretUpdatedAt: clientSecret === null ? null : now() }),
    ...statusAfter(current, { isOther: isOther(current, wanted), hasSecret: clientSecret !== undefined }),
  };
  const updated = await table.update(identityProviders, current, next, async (batch) =>
    batch.write(...(await secretWrites(call, params.id, clientSecret))),
  );
  return showOne(call, updated);
}

/** A provider says who is an owner: an administrator with a provider of their own would become one. @throws insufficient_scope */
const assertMayTrust = (table: Table, caller: Caller): Promise<void> =>
  assertMayAppoint(table, caller, { role: 'owner' });

/** The settings of a metadata file in place of the file. @throws validation_failed */
async function withMetadata<T extends { samlMetadata?: string | null; saml?: unknown }>({ samlMetadata, ...body }: T) {
  return samlMetadata ? { ...body, saml: await settingsIn(samlMetadata) } : body;
}

/** Whether settings change that decide who signs in. Certificates change while a provider is active, as secrets do. */
function isOther(current: IdentityProvider, { oidc, saml }: Partial<IdentityProvider>): boolean {
  const { entityId, signInUrl } = current.saml ?? {};
  return oidc !== undefined || (saml !== undefined && (saml?.entityId !== entityId || saml?.signInUrl !== signInUrl));
}

/** Other settings are tested again. An active provider takes another secret: its client renews it. @throws conflict */
function statusAfter({ status }: IdentityProvider, { isOther, hasSecret }: { isOther: boolean; hasSecret: boolean }) {
  if (status === 'active' && isOther) throw conflict('The provider is active: disable the provider first.');
  return status !== 'active' && (isOther || hasSecret) ? { status: 'draft' as const } : {};
}

async function deleteIdentityProvider({ table, params: { id } }: Call<Routes['deleteIdentityProvider']>) {
  const provider = await table.get(identityProviders, id, true);
  if (provider.status === 'active') throw conflict('The provider is active: disable the provider first.');
  const freed = await freedBy(table.dynamo, table.organizationId, provider);
  const beside = [removeSecret(table, id), forgetAttempts(table, id), forgetTest(table, id)];
  return table.delete(identityProviders, provider, (batch) => batch.write(...freed, ...beside));
}

const move = (context: Context, id: string, verb: 'activate' | 'disable') =>
  showOne(
    context,
    context.table.modify(identityProviders, id, (provider) => {
      const step = {
        state: provider.status,
        verb,
        name: 'identity provider',
        offers: ['test', 'activate', 'disable'] as const,
      };
      const status = nextState(providerStates, step);
      if (verb === 'activate' && !isProved(provider))
        throw conflict('The provider has no proved domain: add a domain and verify it first.');
      return { status };
    }),
  );

export const identityProviderHandlers: Handlers<Routes> = {
  listIdentityProviders: ({ query, ...call }) =>
    showPage(call.table.list(identityProviders, query), (found) => show(call, found)),
  createIdentityProvider,
  getIdentityProvider: (call) => showOne(call, call.table.get(identityProviders, call.params.id)),
  updateIdentityProvider,
  deleteIdentityProvider,
  async testIdentityProvider({ connections, table, params, body: { codeChallenge } }) {
    const provider = await table.get(identityProviders, params.id, true);
    return { url: await beginAt({ context: { connections, table }, provider }, { codeChallenge, isTest: true }) };
  },
  async getIdentityProviderTest({ table, params: { id } }) {
    await table.get(identityProviders, id);
    const result = await lastTest(table, id);
    if (!result) throw notFound('test', id);
    const { providerId: _providerId, ...shown } = result;
    return shown;
  },
  async activateIdentityProvider(call) {
    await call.table.get(identityProviders, call.params.id);
    await assertMayTrust(call.table, call.caller);
    return move(call, call.params.id, 'activate');
  },
  disableIdentityProvider: (call) => move(call, call.params.id, 'disable'),
  async listSignInAttempts({ table, params: { id }, query }) {
    await table.get(identityProviders, id);
    return pageOfArray(await failedAttempts(table, id), query);
  },
  addProviderDomain: (call) => showOne(call, addDomain(call.table, { id: call.params.id, name: call.body.name })),
  verifyProviderDomain: (call) => showOne(call, verifyDomain(call, call.params)),
  removeProviderDomain: (call) => showOne(call, removeDomain(call.table, call.params)),
};
