import { identityFilter } from '#shared/assets/identity/filter-fields.ts';
import { accountName, type Identity, identities, type StoredIdentity } from '#shared/assets/identity/identity.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { given } from '#shared/platform/runtime/given.ts';
import { caseless } from '#shared/platform/runtime/texts.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { alerts, type StoredAlert } from '#shared/soc/alerts/alert.ts';
import { alertListItem } from '#shared/soc/alerts/alert-view.ts';
import { selected } from '#shared/soc/alerts/filter.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';
import type { IdentityFilter, identityRoutes } from './routes.ts';

const shown = ({ key: _key, ...identity }: StoredIdentity): Identity => identity;

async function list({ table, caller, query }: { table: Table; caller: Caller; query: IdentityFilter & PageRange }) {
  const asked = await withMatching({ table, caller }, identityFilter, query);
  const { paginateFrom, paginateSize, ids, search, matching, name, source, isPrivileged, hasMfa, ...same } = asked;
  const typed = { name: name && accountName(name), source: source && caseless(source) };
  const where = given({ ...same, ...typed, privileged: isPrivileged, mfa: hasMfa });
  const selection = { ...selected(where, search), matching };
  return showEach(table.list(identities, { paginateFrom, paginateSize, ids, ...selection }), shown);
}

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

  async deleteIdentity(call) {
    const identity = await call.table.get(identities, call.params.id, true);
    return withSecondPerson(call, () => call.table.delete(identities, identity));
  },
};
