import * as z from 'zod';
import { readBody } from '#shared/code/integrations/deliveries.ts';
import type { DeliveryResult } from '#shared/code/integrations/result.ts';
import { TaskFailure, type Work } from '#shared/platform/jobs/worker.ts';
import { textAt } from '#shared/reports/readers/json.ts';
import { noteEvent } from '#shared/ticketing/health.ts';
import { queueTicketSync } from '#shared/ticketing/queue-sync.ts';
import { tickets } from '#shared/ticketing/ticket.ts';

export const Input = z.object({ integrationId: z.uuid(), deliveryId: z.string() });

/**
 * Works a stored event of Jira. The event only says that an issue changed: the worker reads the current issue, so
 * events may come twice, late and in any order.
 */
export async function receiveTicketEvent(work: Work): Promise<DeliveryResult> {
  const { table, task, connections } = work;
  const { integrationId, deliveryId } = Input.parse(task.input);
  const body = await readBody({ table, bucket: connections.bucket }, { integrationId, deliveryId });
  if (body === undefined) throw new TaskFailure('not_found', 'The event was kept for 30 days and is gone.');
  await noteEvent(table, integrationId);
  const issueId = textAt(body, 'issue', 'id');
  if (issueId === undefined) return ignored('it names no issue');
  const ticket = await table.findUnique(tickets, { field: 'issue', value: `${integrationId}#${issueId}` }, true);
  if (!ticket) return ignored('its issue is of no ticket');
  await queueTicketSync(work, ticket.id);
  return { outcome: 'handled', effects: ['sync_ticket'] };
}

const ignored = (reason: string): DeliveryResult => ({ outcome: 'ignored', effects: [], reason });
