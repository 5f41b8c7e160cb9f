import * as z from 'zod';
import { figureLinks } from '#shared/platform/http/figures.ts';
import { objectNamed, Timestamp } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { TICKET_STATUSES } from '#shared/ticketing/ticket.ts';
import { Count, counts } from './records.ts';

export const TicketingSummary = objectNamed('TicketingSummary', {
  asOf: Timestamp,
  enabled: z.boolean().meta({ description: 'a connection exists that is enabled' }),
  connections: Count,
  total: Count.meta({ description: 'tickets' }),
  open: Count.meta({ description: 'tickets whose issue is not done, or is about to be created' }),
  byStatus: counts(TICKET_STATUSES),
  byPriority: counts(Severity.options).meta({
    description: 'open tickets, by the severity at their opening',
  }),
  created7d: Count.meta({ description: 'opened in the last seven days, today included' }),
  resolved7d: Count.meta({ description: 'tickets whose issue became done in these seven days' }),
  syncErrors: Count.meta({
    description: 'tickets that could not be brought up to date: `GET /api/v1/ticketing/tickets?failing=true`',
  }),
  lastSyncAt: Timestamp.nullable().meta({ description: 'when a ticket was last compared with Jira, to the minute' }),
  ...figureLinks,
});
export type TicketingSummary = z.infer<typeof TicketingSummary>;
