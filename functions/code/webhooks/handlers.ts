import type { Handlers } from '#shared/platform/http/route.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { receive } from './receive.ts';
import { receiveBilling } from './receive-billing.ts';
import { receiveTicketEvent } from './receive-ticketing.ts';
import type { webhookRoutes } from './routes.ts';

export const webhookHandlers: Handlers<typeof webhookRoutes> = {
  receiveCodehostA: (call) => receive(github, call),
  receiveCodehostB: (call) => receive(gitlab, call),
  receiveTicketEvent: (call) => receiveTicketEvent(call),
  receiveBillingEvent: (call) => receiveBilling(call),
};
