import { bulkDeciding } from '#shared/findings/bulk/findings.ts';
import { previewMany } from '#shared/findings/bulk/preview.ts';
import { answerMany } from '#shared/findings/bulk/queue.ts';
import { answerUndo, FINDINGS_UNDO } from '#shared/findings/bulk/undo-update.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { bulkUpdate } from './bulk-update.ts';
import type { findingUpdateRoutes } from './routes.ts';

export const findingUpdateHandlers: Handlers<typeof findingUpdateRoutes> = {
  async updateFindings(call) {
    const { table, caller, body } = call;
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    const preview = async () => previewMany(table, wanted, await bulkDeciding(table, bulk));
    return answerMany(call, { operation: 'update_findings', wanted, input: bulk, preview });
  },

  undoFindingsUpdate: (call) => answerUndo(call, FINDINGS_UNDO),
};
