import { changePolicies } from '#shared/findings/bulk/change-policies.ts';
import { readPolicies } from '#shared/findings/sla/sla-policies.ts';
import type { Handlers } from '#shared/platform/http/route.ts';
import type { slaPolicyRoutes } from './routes.ts';

export const slaPolicyHandlers: Handlers<typeof slaPolicyRoutes> = {
  getSlaPolicies: ({ table }) => readPolicies(table),

  updateSlaPolicies: ({ table, connections, body, ifMatch }) =>
    changePolicies({ table, connections }, { patch: body, ifMatch }),
};
