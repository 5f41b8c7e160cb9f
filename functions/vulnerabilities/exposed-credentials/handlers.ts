import type { Item } from '#shared/findings/bulk/found.ts';
import { previewEach } from '#shared/findings/bulk/preview-each.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { undoUpdate } from '#shared/findings/bulk/undo-update.ts';
import { showEach } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import type { PageRange } from '#shared/platform/table/paging.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { decidedOnEach } from '#shared/vulnerabilities/exposed-credentials/bulk.ts';
import { exposedCredentials } from '#shared/vulnerabilities/exposed-credentials/exposed-credential.ts';
import { credentialSelection } from '#shared/vulnerabilities/exposed-credentials/filter.ts';
import { placesOf } from '#shared/vulnerabilities/exposed-credentials/places.ts';
import { credentialRecord } from '#shared/vulnerabilities/exposed-credentials/record.ts';
import { bulkUpdate } from './bulk-update.ts';
import { sampleOf } from './preview.ts';
import type { exposedCredentialRoutes } from './routes.ts';
import { updateCredential } from './update.ts';

type Query = Parameters<typeof credentialSelection>[0] & PageRange;

const list = ({ table, query: { paginateFrom, paginateSize, ...filter } }: { table: Table; query: Query }) =>
  showEach(
    table.list(exposedCredentials, { paginateFrom, paginateSize, ...credentialSelection(filter) }),
    credentialRecord,
  );

const UNDO = {
  of: 'update_exposed_credentials',
  by: 'undo_exposed_credentials_update',
  name: 'change of many exposed credentials',
} as const;

export const exposedCredentialHandlers: Handlers<typeof exposedCredentialRoutes> = {
  listExposedCredentials: list,
  searchExposedCredentials: list,
  getExposedCredential: async ({ table, params }) => credentialRecord(await table.get(exposedCredentials, params.id)),

  updateExposedCredential: async ({ table, connections, params, body, ifMatch }) =>
    credentialRecord(await updateCredential({ table, connections, id: params.id, patch: body, ifMatch })),

  async updateExposedCredentials({ table, connections, body, query }) {
    const { wanted, bulk } = bulkUpdate(body);
    const decide = (items: readonly Item[]) => decidedOnEach(table, items, { ...bulk, by: table.actor });
    if (body.dryRun)
      return { preview: await previewEach(table, wanted, { entity: exposedCredentials, decide, sampleOf }) };
    const request = { operation: 'update_exposed_credentials', unit: 'records', wanted, input: bulk } as const;
    return answerWithin(table, await queueMany({ connections, table }, request), query.waitSeconds);
  },

  undoExposedCredentialsUpdate: async ({ table, connections, params, query }) =>
    answerWithin(table, await undoUpdate({ connections, table }, UNDO, params.taskId), query.waitSeconds),

  listExposedCredentialPlaces: async ({ table, params, query }) =>
    placesOf(table, await table.get(exposedCredentials, params.id), query),
};
