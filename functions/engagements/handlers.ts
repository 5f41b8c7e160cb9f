import { engagements } from '#shared/entities/engagement.ts';
import { engagementParts } from '#shared/entities/engagement-part.ts';
import type { Handlers } from '#shared/http/route.ts';
import { showEngagement, withCounts } from '#shared/scanning/show-engagement.ts';
import { createEngagement } from './create.ts';
import { moveByHand, moveEngagement } from './move.ts';
import type { engagementRoutes } from './routes.ts';
import { updateEngagement } from './update.ts';

export const engagementHandlers: Handlers<typeof engagementRoutes> = {
  async listEngagements({ table, query: { status, ...paging } }) {
    const page = await table.list(engagements, { ...paging, filter: { status } });
    return { ...page, data: await withCounts(table, page.data) };
  },

  async listMyEngagements({ table, caller, query }) {
    const page = await table.list(engagementParts, { ...query, parent: { list: 'person', id: caller.id } });
    const found = await table.findMany(
      engagements,
      page.data.map(({ engagementId }) => engagementId),
    );
    return { ...page, data: await withCounts(table, found) };
  },

  async listEngagementRequests({ table, query }) {
    const page = await table.list(engagements, { ...query, filter: { status: 'requested' } });
    return { ...page, data: await withCounts(table, page.data) };
  },

  createEngagement,

  async updateEngagement({ table, caller, params, body, request }) {
    const patching = { patch: body, ifMatch: request.headers['if-match'] };
    return showEngagement(table, await updateEngagement({ table, caller, id: params.id }, patching));
  },

  async approveEngagement({ table, ports, caller, params }) {
    const move = { verb: 'approve', reason: null, operation: 'approve_engagement' } as const;
    return showEngagement(table, await moveEngagement({ table, ports, caller, id: params.id }, move));
  },

  async rejectEngagement({ table, ports, caller, params, body }) {
    const move = { verb: 'reject', reason: body.reason } as const;
    return showEngagement(table, await moveEngagement({ table, ports, caller, id: params.id }, move));
  },

  async cancelEngagement({ table, ports, caller, params, body }) {
    const move = { verb: 'cancel', reason: body.reason, operation: 'cancel_engagement' } as const;
    return showEngagement(table, await moveEngagement({ table, ports, caller, id: params.id }, move));
  },

  async startEngagement({ table, ports, caller, params }) {
    const engagement = await table.get(engagements, params.id, true);
    return showEngagement(table, await moveByHand({ table, ports, caller, id: params.id }, engagement, 'start'));
  },

  async completeEngagement({ table, ports, caller, params }) {
    const engagement = await table.get(engagements, params.id, true);
    return showEngagement(table, await moveByHand({ table, ports, caller, id: params.id }, engagement, 'complete'));
  },
};
