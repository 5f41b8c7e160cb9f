import { evidenceOn, type FindingEvidence } from '#shared/findings/evidence/evidence.ts';
import { evidenceDownload, evidenceOf } from '#shared/findings/evidence/evidence-download.ts';
import { getFinding } from '#shared/findings/view/find.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { addEvidence, deleteEvidence } from './change-evidence.ts';
import type { findingEvidenceRoutes } from './routes.ts';

/** @throws not_found */
async function fileOf(table: Table, { id, evidenceId }: { id: string; evidenceId: string }): Promise<FindingEvidence> {
  const { finding } = await getFinding(table, id, true);
  return evidenceOf(table, finding, evidenceId);
}

export const findingEvidenceHandlers: Handlers<typeof findingEvidenceRoutes> = {
  async listFindingEvidence({ table, params }) {
    const { finding } = await getFinding(table, params.id, true);
    return evidenceOn(table, finding);
  },

  createFindingEvidence: ({ connections, table, params, body }) => addEvidence({ connections, table }, params.id, body),

  getFindingEvidence: async (call) => evidenceDownload(call, await fileOf(call.table, call.params), call.query),

  async deleteFindingEvidence(call) {
    const file = await fileOf(call.table, call.params);
    return withSecondPerson(call, () => deleteEvidence(call, call.params.id, file));
  },
};
