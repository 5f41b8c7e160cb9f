import type * as z from 'zod';
import type { Caller } from '#shared/platform/auth/permissions.ts';
import { withMatching } from '#shared/platform/filter/read.ts';
import { showPage } from '#shared/platform/http/pagination.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { createEngagement } from '#shared/scanning/engagement-tasks/create.ts';
import { eachWithCounts, showEngagement } from '#shared/scanning/engagement-tasks/show.ts';
import { engagements } from '#shared/scanning/engagements/engagement.ts';
import { engagementFilter } from '#shared/scanning/engagements/filter-fields.ts';
import type { EngagementListItem } from '#shared/scanning/engagements/view.ts';
import { hideCredentialIds } from '#shared/scanning/scan-credentials/hide-credential-ids.ts';
import { moveEngagement } from './move.ts';
import type { engagementRoutes } from './routes.ts';
import { runNow } from './run-now.ts';
import { updateEngagement } from './update.ts';

type Row = Omit<z.infer<typeof EngagementListItem>, 'tasks'>;

const listed = async (table: Table, caller: Caller, rows: readonly Row[]) =>
  (await eachWithCounts(table, rows)).map((row) => hideCredentialIds(caller, row));

export const engagementHandlers: Handlers<typeof engagementRoutes> = {
  async listEngagements({ table, caller, query }) {
    const { status, ...asked } = await withMatching({ table, caller }, engagementFilter, query);
    return showPage(table.list(engagements, { ...asked, filter: { status } }), (found) => listed(table, caller, found));
  },

  listEngagementRequests: ({ table, caller, query }) =>
    showPage(table.list(engagements, { ...query, filter: { status: 'requested' } }), (found) =>
      listed(table, caller, found),
    ),

  createEngagement,

  async updateEngagement({ table, caller, params, body, ifMatch }) {
    const patching = { patch: body, ifMatch };
    return showEngagement(table, await updateEngagement({ table, caller, id: params.id }, patching));
  },

  async approveEngagement({ table, connections, caller, params, body, ifMatch }) {
    const read = { body, ifMatch };
    const move = { verb: 'approve', reason: body.reason, operation: 'approve_engagement', read } as const;
    return showEngagement(table, await moveEngagement({ table, connections, caller, id: params.id }, move));
  },

  runEngagement: ({ table, connections, params }) => runNow({ connections, table }, params.id),

  async rejectEngagement({ table, connections, caller, params, body, ifMatch }) {
    const read = { body, ifMatch };
    const move = { verb: 'reject', reason: body.reason, operation: 'reject_engagement', read } as const;
    return showEngagement(table, await moveEngagement({ table, connections, caller, id: params.id }, move));
  },

  async cancelEngagement({ table, connections, caller, params, body }) {
    const move = { verb: 'cancel', reason: body.reason, operation: 'cancel_engagement' } as const;
    return showEngagement(table, await moveEngagement({ table, connections, caller, id: params.id }, move));
  },
};
