import { bulkDeciding } from '#shared/findings/bulk/findings.ts';
import { previewMany } from '#shared/findings/bulk/preview.ts';
import { queueMany } from '#shared/findings/bulk/queue.ts';
import { FINDINGS_UNDO, undoUpdate } from '#shared/findings/bulk/undo-update.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { answerWithin } from '#shared/platform/jobs/wait.ts';
import { bulkUpdate } from './bulk-update.ts';
import type { findingUpdateRoutes } from './routes.ts';

export const findingUpdateHandlers: Handlers<typeof findingUpdateRoutes> = {
  async updateFindings({ table, connections, caller, body, query }) {
    const { wanted, bulk } = await bulkUpdate(table, caller, body);
    if (body.dryRun) return { preview: await previewMany(table, wanted, await bulkDeciding(table, bulk)) };
    const request = { operation: 'update_findings', wanted, input: bulk } as const;
    return answerWithin(table, await queueMany({ connections, table }, request), query.waitSeconds);
  },

  undoFindingsUpdate: async ({ table, connections, params, query }) =>
    answerWithin(table, await undoUpdate({ connections, table }, FINDINGS_UNDO, params.taskId), query.waitSeconds),
};
