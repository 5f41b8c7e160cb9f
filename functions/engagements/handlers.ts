import { engagements } from '#shared/entities/engagement.ts';
import type { Handlers } from '#shared/http/route.ts';
import { createEngagement } from './create.ts';
import type { engagementRoutes } from './routes.ts';
import { showEngagement, withCounts } from './show.ts';

export const engagementHandlers: Handlers<typeof engagementRoutes> = {
  async listEngagements({ table, query }) {
    const page = await table.list(engagements, query);
    return { ...page, data: await withCounts(table, page.data) };
  },
  createEngagement,
  getEngagement: async ({ table, params }) => showEngagement(table, await table.get(engagements, params.id)),
};
