import * as z from 'zod';
import { DeliveryResult } from '#shared/code/integrations/result.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
import type { Results } from '#shared/platform/jobs/results.ts';
import { TICKET_STATUSES } from '#shared/ticketing/ticket.ts';

const SyncedTicket = objectNamed('SyncedTicket', {
  status: z.enum(TICKET_STATUSES),
  effects: z.array(z.string()).meta({ description: 'what changed here or in Jira' }),
});
export type SyncedTicket = z.infer<typeof SyncedTicket>;

const PolledTickets = z
  .object({ seen: z.int().meta({ description: 'issues that changed' }), queued: z.int() })
  .meta({ id: 'PolledTickets' });
export type PolledTickets = z.infer<typeof PolledTickets>;

const AppliedTicketRule = z
  .object({ looked: z.int().meta({ description: 'open records that the rule may concern' }), opened: z.int() })
  .meta({ id: 'AppliedTicketRule' });
export type AppliedTicketRule = z.infer<typeof AppliedTicketRule>;

export const results = {
  sync_ticket: SyncedTicket,
  poll_tickets: PolledTickets,
  receive_ticket_event: DeliveryResult,
  apply_ticket_rule: AppliedTicketRule,
} satisfies Results;
