import { provisional } from '#shared/exposure/asset-rules/after-rules.ts';
import { bulkDeciding } from '#shared/findings/bulk/findings.ts';
import { previewMany } from '#shared/findings/bulk/preview.ts';
import { answerMany } from '#shared/findings/bulk/queue.ts';
import { answerUndo, FINDINGS_UNDO } from '#shared/findings/bulk/undo-update.ts';
import { whyOpenByHand } from '#shared/findings/closing/why-open.ts';
import { tableOfFinding } from '#shared/findings/triage/of-engagement.ts';
import { findingView } from '#shared/findings/view/view.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { tableOfFindings } from '#shared/scanning/engagements/assigned.ts';
import { bulkUpdate } from './bulk-update.ts';
import { createFinding } from './create-finding.ts';
import { deleteManualFinding } from './delete-finding.ts';
import type { findingUpdateRoutes } from './routes.ts';

export const findingUpdateHandlers: Handlers<typeof findingUpdateRoutes> = {
  async createFinding(call) {
    const { connections, caller, body } = call;
    const table = await tableOfFindings(call.table, caller, body.engagementId);
    const stored = await createFinding({ connections, table, caller, body });
    return { ...findingView(stored, undefined), whyOpen: whyOpenByHand(stored) };
  },

  async deleteFinding({ table, caller, params, query }) {
    return deleteManualFinding(await tableOfFinding(table, caller, { ...params, ...query }), params.id);
  },

  async updateFindings(call) {
    const { table, caller, body } = call;
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    const preview = async () => ({
      ...(await provisional(table, wanted)),
      ...(await previewMany(table, wanted, await bulkDeciding(table, bulk))),
    });
    return answerMany(call, { operation: 'update_findings', wanted, input: bulk, preview });
  },

  undoFindingsUpdate: (call) => answerUndo(call, FINDINGS_UNDO),
};
