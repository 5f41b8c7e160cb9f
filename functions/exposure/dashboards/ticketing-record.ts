import * as z from 'zod';
import { Timestamp } from '#shared/platform/http/records.ts';
import { Severity } from '#shared/reports/report/report.ts';
import { TICKET_STATUSES } from '#shared/ticketing/ticket.ts';
import { Count, counts } from './records.ts';

export const TicketingSummary = z
  .object({
    asOf: Timestamp,
    enabled: z.boolean().meta({ description: 'a connection exists that is enabled' }),
    connections: Count,
    total: Count.meta({ description: 'tickets' }),
    open: Count.meta({ description: 'whose issue is not done, or about to be created' }),
    byStatus: counts(TICKET_STATUSES),
    byPriority: counts(Severity.options).meta({
      description: 'open ones, by the severity with which they were opened',
    }),
    created7d: Count.meta({ description: 'opened in the last seven days, today included' }),
    resolved7d: Count.meta({ description: 'whose issue was seen done in the same days' }),
    syncErrors: Count.meta({
      description: 'tickets that could not be brought up to date: `GET /api/v1/ticketing/tickets?failing=true`',
    }),
    lastSyncAt: Timestamp.nullable().meta({ description: 'when a ticket was last compared with Jira, to the minute' }),
  })
  .meta({ id: 'TicketingSummary' });
export type TicketingSummary = z.infer<typeof TicketingSummary>;
