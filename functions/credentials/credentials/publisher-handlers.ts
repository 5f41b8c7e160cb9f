import { integrations } from '#shared/code/integrations/integration.ts';
import { type TrustedPublisher, trustedPublishers } from '#shared/code/integrations/trusted-publisher.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { credentialStands, putCredential } from '#shared/platform/auth/credential.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import { mergePatch } from '#shared/platform/http/records.ts';
import type { Call, Handlers } from '#shared/platform/http/route.ts';
import { conflict, invalid } from '#shared/platform/runtime/errors.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { ChangeablePublisher, type publisherRoutes } from './publisher-routes.ts';
import { assertMayGiveScopes } from './rules.ts';
import { showCredential, showCredentials } from './show.ts';

export const publisherHandlers: Handlers<typeof publisherRoutes> = {
  createTrustedPublisher: createPublisher,
  listTrustedPublishers: ({ table, query }) =>
    showPage(table.list(trustedPublishers, query), (found) => showCredentials(table, found)),
  getTrustedPublisher: async ({ table, params }) =>
    showCredential(table, await table.get(trustedPublishers, params.id)),
  updateTrustedPublisher: async ({ table, params, body, ifMatch }) => {
    const changed = await table.modify(trustedPublishers, params.id, (publisher) => {
      if (publisher.revokedAt !== null)
        throw conflict('This publisher was revoked. Create another one for the repository.');
      return mergePatch(ChangeablePublisher, publisher, { patch: body, ifMatch });
    });
    return showCredential(table, changed);
  },
  revokeTrustedPublisher: ({ table, params }) => revoke(table, trustedPublishers, params.id),
};

/** Its credential is that of a key without a secret: only the exchange makes tokens of it, each with its own bounds. */
async function createPublisher({ table, caller, body }: Call<typeof publisherRoutes.createTrustedPublisher>) {
  assertMayGiveScopes(caller, ['imports:write']);
  await assertConnected(table, body);
  const { organizationId } = table;
  const draft = { ...body, lastUsedAt: null, status: 'active' as const, revokedAt: null };
  return table.create<TrustedPublisher, never>(trustedPublishers, draft, (batch, { id }) => {
    const opens = { scopes: ['imports:write' as const], bound: { repositories: [] } };
    const credential = { id, kind: 'api_key' as const, name: `CI of ${body.repository}`, secrets: [], ...opens };
    batch.write(
      putCredential(organizationId, credential, 'absent'),
      credentialStands({ organizationId, id: caller.id }),
    );
  });
}

const MAX_CONNECTIONS = 100;

/** A host that nobody connected could say anything about its jobs. @throws validation_failed */
async function assertConnected(
  table: Table,
  { kind, baseUrl }: Pick<TrustedPublisher, 'kind' | 'baseUrl'>,
): Promise<void> {
  if (baseUrl === null) return;
  const { data } = await table.list(integrations, { paginateFrom: 0, paginateSize: MAX_CONNECTIONS, where: { kind } });
  if (!data.some((one) => one.baseUrl === baseUrl))
    throw invalid(
      'baseUrl',
      'must be the host of a code host connection of this organization (POST /api/v1/integrations)',
    );
}
