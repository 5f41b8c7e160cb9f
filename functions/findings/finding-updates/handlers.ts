import { answerMany } from '#shared/findings/bulk/answer-many.ts';
import { sampleOf } from '#shared/findings/bulk/sample.ts';
import { answerUndo } from '#shared/findings/bulk/undo-update.ts';
import { whyOpenByHand } from '#shared/findings/closing/why-open.ts';
import { findings } from '#shared/findings/finding/finding.ts';
import { tableOfFinding } from '#shared/findings/triage/of-engagement.ts';
import { collectionOf } from '#shared/findings/view/find.ts';
import { findingView } from '#shared/findings/view/view.ts';
import { withSecondPerson } from '#shared/people/second-person.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { tableOfFindings } from '#shared/scanning/engagements/assigned.ts';
import { bulkUpdate } from './bulk-update.ts';
import { createFinding } from './create-finding.ts';
import { assertManual, deleteManualFinding } from './delete-finding.ts';
import type { findingUpdateRoutes } from './routes.ts';

export const findingUpdateHandlers: Handlers<typeof findingUpdateRoutes> = {
  async createFinding(call) {
    const { connections, caller, body } = call;
    const table = await tableOfFindings(call.table, caller, body.engagementId);
    const stored = await createFinding({ connections, table, caller, body });
    return { ...findingView(stored, undefined), whyOpen: whyOpenByHand(stored) };
  },

  async deleteFinding(call) {
    const { caller, params, query } = call;
    const table = await tableOfFinding(call.table, caller, { ...params, ...query });
    await assertManual(table, params.id);
    return withSecondPerson({ ...call, table }, () => deleteManualFinding(table, params.id));
  },

  async updateFindings(call) {
    const { table, caller, body } = call;
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    const entity = 'ids' in wanted ? findings : await collectionOf(table, wanted.selection);
    return answerMany(call, { operation: 'update_findings', wanted, input: bulk, entity, sampleOf });
  },

  undoFindingsUpdate: (call) => answerUndo(call, 'undoFindingsUpdate'),
};
