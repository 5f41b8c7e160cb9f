import { exposedCredentials } from '#shared/entities/exposed-credential.ts';
import { credentialSelection } from '#shared/exposed-credentials/filter.ts';
import { placesOf } from '#shared/exposed-credentials/places.ts';
import { credentialRecord } from '#shared/exposed-credentials/record.ts';
import { showEach } from '#shared/http/pagination.ts';
import type { Handlers } from '#shared/http/route.ts';
import type { PageRange } from '#shared/table/paging.ts';
import type { Table } from '#shared/table/table.ts';
import type { exposedCredentialRoutes } from './routes.ts';
import { updateCredential } from './update.ts';

type Query = Parameters<typeof credentialSelection>[0] & PageRange;

const list = ({ table, query: { paginateFrom, paginateSize, ...filter } }: { table: Table; query: Query }) =>
  showEach(
    table.list(exposedCredentials, { paginateFrom, paginateSize, ...credentialSelection(filter) }),
    credentialRecord,
  );

export const exposedCredentialHandlers: Handlers<typeof exposedCredentialRoutes> = {
  listExposedCredentials: list,
  searchExposedCredentials: list,
  getExposedCredential: async ({ table, params }) => credentialRecord(await table.get(exposedCredentials, params.id)),

  updateExposedCredential: async ({ table, connections, params, body, ifMatch }) =>
    credentialRecord(await updateCredential({ table, connections, id: params.id, patch: body, ifMatch })),

  listExposedCredentialPlaces: async ({ table, params, query }) =>
    placesOf(table, await table.get(exposedCredentials, params.id), query),
};
