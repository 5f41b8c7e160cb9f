import { answerMany } from '#shared/findings/bulk/answer-many.ts';
import { answerUndo } from '#shared/findings/bulk/undo-update.ts';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialSelection } from '#shared/vulnerabilities/exposed-credentials/filter.ts';
import { credentialFilter } from '#shared/vulnerabilities/exposed-credentials/filter-fields.ts';
import { placesOf } from '#shared/vulnerabilities/exposed-credentials/places.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';
import { bulkUpdate } from './bulk-update.ts';
import { sampleOf } from './preview.ts';
import type { exposedCredentialRoutes } from './routes.ts';
import { updateCredential } from './update.ts';

type Query = Parameters<typeof credentialSelection>[0] & PageRange;

async function list({ table, caller, query }: { table: Table; caller: Caller; query: Query }) {
  const { paginateFrom, paginateSize, ids, ...filter } = await withMatching({ table, caller }, credentialFilter, query);
  const asked = { paginateFrom, paginateSize, ids, ...credentialSelection(filter) };
  return showEach(table.list(exposedCredentials, asked), credentialRecord);
}

export const exposedCredentialHandlers: Handlers<typeof exposedCredentialRoutes> = {
  listExposedCredentials: list,
  searchExposedCredentials: list,
  getExposedCredential: async ({ table, params }) => credentialRecord(await table.get(exposedCredentials, params.id)),

  updateExposedCredential: async ({ table, connections, params, body, ifMatch }) =>
    credentialRecord(await updateCredential({ table, connections, id: params.id, patch: body, ifMatch })),

  async updateExposedCredentials(call) {
    const { wanted, bulk } = await bulkUpdate(call, call.body);
    const request = { operation: 'update_exposed_credentials', unit: 'records', wanted, input: bulk } as const;
    return answerMany(call, { ...request, entity: exposedCredentials, sampleOf });
  },

  undoExposedCredentialsUpdate: (call) => answerUndo(call, 'undoExposedCredentialsUpdate'),

  listExposedCredentialPlaces: async ({ table, params, query }) =>
    placesOf(table, await table.get(exposedCredentials, params.id), query),
};
