import { evidenceKey, evidenceOn, type FindingEvidence } from '#shared/findings/evidence.ts';
import { getFinding } from '#shared/findings/find.ts';
import type { Handlers } from '#shared/http/route.ts';
import { signDownload } from '#shared/runtime/bucket-parts.ts';
import { inSeconds } from '#shared/runtime/clock.ts';
import { notFound } from '#shared/runtime/errors.ts';
import type { Table } from '#shared/table/table.ts';
import { addEvidence, deleteEvidence } from './change-evidence.ts';
import type { findingEvidenceRoutes } from './routes.ts';

/** Anyone with the address can read the file. */
const URL_SECONDS = 300;

/** @throws not_found */
async function evidenceOf(table: Table, place: { id: string; evidenceId: string }): Promise<FindingEvidence> {
  const { finding } = await getFinding(table, place.id, true);
  const file = (await evidenceOn(table, finding)).find(({ id }) => id === place.evidenceId);
  if (!file) throw notFound('evidence', place.evidenceId);
  return file;
}

export const findingEvidenceHandlers: Handlers<typeof findingEvidenceRoutes> = {
  async listFindingEvidence({ table, params }) {
    const { finding } = await getFinding(table, params.id, true);
    return evidenceOn(table, finding);
  },

  createFindingEvidence: ({ connections, table, params, body }) => addEvidence({ connections, table }, params.id, body),

  async getFindingEvidence({ connections, table, params }) {
    const file = await evidenceOf(table, params);
    const { name, mediaType } = file;
    const object = { key: evidenceKey(table, file), name, mediaType, seconds: URL_SECONDS };
    const downloadUrl = await signDownload(connections.bucket, object);
    return { ...file, downloadUrl, expiresAt: inSeconds(URL_SECONDS) };
  },

  deleteFindingEvidence: async ({ connections, table, params }) =>
    deleteEvidence({ connections, table }, params.id, await evidenceOf(table, params)),
};
