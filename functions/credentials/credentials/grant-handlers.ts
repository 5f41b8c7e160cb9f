import { credentialAsOfNow } from '#shared/credentials/credential-status.ts';
import { revoke } from '#shared/credentials/revoke.ts';
import { supportGrants } from '#shared/credentials/support-grant.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { createGrant } from './create-grant.ts';
import type { supportGrantRoutes } from './grant-routes.ts';

export const supportGrantHandlers: Handlers<typeof supportGrantRoutes> = {
  createSupportGrant: createGrant,
  listSupportGrants: ({ table, query }) => showEach(table.list(supportGrants, query), credentialAsOfNow),
  getSupportGrant: async ({ table, params }) => credentialAsOfNow(await table.get(supportGrants, params.id)),
  revokeSupportGrant: ({ table, params }) => revoke(table, supportGrants, params.id),
};
