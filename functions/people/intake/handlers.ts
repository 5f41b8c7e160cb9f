import { salesRequests } from '#shared/people/sales-request.ts';
import { deleteSalesRequest } from '#shared/people/sales-requests.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import { countAll, countBlock, levelOf } from './limits.ts';
import type { intakeRoutes } from './routes.ts';
import { listSalesRequests, receiveSalesRequest, shared, updateSalesRequest } from './sales.ts';
import { signUp } from './sign-up.ts';
import { beginTrial } from './trial.ts';
import { offerChallenge } from './use-challenge.ts';

export const intakeHandlers: Handlers<typeof intakeRoutes> = {
  async getChallenge({ connections, query: { purpose }, request }) {
    const { dynamo } = connections;
    const block = await countBlock(dynamo, 'challenge', request.ip);
    const level = levelOf({ block, all: await countAll(dynamo, 'challenge') });
    return offerChallenge(connections, { purpose, level });
  },

  signUp,

  beginTrial,

  createSalesRequest: receiveSalesRequest,

  listSalesRequests,

  getSalesRequest: ({ table, params }) => shared(table).get(salesRequests, params.id),

  updateSalesRequest,

  async deleteSalesRequest({ table, params }) {
    const all = shared(table);
    return deleteSalesRequest(all, await all.get(salesRequests, params.id, true));
  },
};
