import type { Handlers } from '#shared/platform/http/route.ts';
import type { ticketingRoutes } from './routes.ts';
import { ticketingRuleHandlers } from './rules.ts';
import { ticketHandlers } from './tickets.ts';

export const ticketingHandlers: Handlers<typeof ticketingRoutes> = {
  ...ticketingRuleHandlers,
  ...ticketHandlers,
};
