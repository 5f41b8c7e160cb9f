import { accountName, type Identity, identities, type StoredIdentity } from '#shared/assets/identity/identity.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { given } from '#shared/platform/runtime/given.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { alertListItem } from '#shared/soc/alerts/alert-view.ts';
import { selected } from '#shared/soc/alerts/filter.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';
import type { IdentityFilter, identityRoutes } from './routes.ts';

const shown = ({ key: _key, ...identity }: StoredIdentity): Identity => identity;

const list = ({ table, query }: { table: Table; query: IdentityFilter & PageRange }) => {
  const { paginateFrom, paginateSize, ids, search, name, isPrivileged, hasMfa, ...same } = query;
  const where = given({ ...same, name: name && accountName(name), privileged: isPrivileged, mfa: hasMfa });
  return showEach(table.list(identities, { paginateFrom, paginateSize, ids, ...selected(where, search) }), shown);
};

/** The names of an identity by which alerts and exposed credentials find it. */
async function namesOf(table: Table, id: string): Promise<string[]> {
  const { names } = await table.get(identities, id);
  return [...new Set(names.map(accountName))];
}

export const identityHandlers: Handlers<typeof identityRoutes> = {
  listIdentities: list,
  searchIdentities: list,
  getIdentity: async ({ table, params }) => shown(await table.get(identities, params.id)),

  async listIdentityAlerts({ table, params, query }) {
    const where = { user: await namesOf(table, params.id) };
    return showEach(table.list<StoredAlert, 'description'>(alerts, { ...query, where }), alertListItem);
  },

  async listIdentityCredentials({ table, params, query }) {
    const where = { account: await namesOf(table, params.id) };
    return showEach(table.list(exposedCredentials, { ...query, where }), credentialRecord);
  },

  deleteIdentity: async ({ table, params }) => table.delete(identities, await table.get(identities, params.id, true)),
};
