import { sendOutbox } from '#shared/platform/jobs/outbox.ts';
import { isConflict } from '#shared/platform/runtime/retry.ts';
import type { Context } from '#shared/platform/table/context.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { firstSync, queueTicketSync } from './queue-sync.ts';
import type { Subject } from './subject.ts';
import { type StoredTicket, type Ticket, tickets } from './ticket.ts';
import type { IssueTemplate } from './ticket-rule.ts';

/** The reason for a ticket: its subject, and the place where it is opened. */
export type Wanted = {
  subject: Ticket['subject'];
  about: Pick<Subject, 'key' | 'title' | 'severity' | 'status'>;
  connectionId: string;
  ruleId: string | null;
  template: IssueTemplate;
};

export const ticketOf = (table: Table, key: string): Promise<StoredTicket | undefined> =>
  table.findUnique(tickets, { field: 'key', value: key }, true);

/**
 * Opens a ticket and queues the creation of its issue, in one transaction. @returns the existing ticket, where the
 * subject has one
 */
export async function openTicket(context: Context, wanted: Wanted): Promise<{ ticket: StoredTicket; isNew: boolean }> {
  const current = await currentTicket(context, wanted);
  if (current) return { ticket: current, isNew: false };
  try {
    return { ticket: await create(context, wanted), isNew: true };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const made = await ticketOf(context.table, wanted.about.key);
    if (!made) throw error;
    return { ticket: made, isNew: false };
  }
}

/** A vulnerability that comes again, after all of its findings were deleted, is another record with the same ticket. */
async function currentTicket(context: Context, { subject, about }: Wanted): Promise<StoredTicket | undefined> {
  const { table } = context;
  const current = await ticketOf(table, about.key);
  if (!current || current.subject.id === subject.id) return current;
  const moved = await table.modify(tickets, current.id, () => ({ subject }));
  await queueTicketSync(context, moved.id);
  return moved;
}

async function create({ connections, table }: Context, wanted: Wanted): Promise<StoredTicket> {
  const { subject, about, connectionId, ruleId, template } = wanted;
  const { project, issueType, labels, priorities, fields } = template;
  const [id = ''] = await table.reserve(tickets, 1);
  const { task, send, writes } = firstSync(table, id);
  const batch = table.batch();
  const draft = {
    id,
    connectionId,
    ruleId,
    subject,
    key: about.key,
    title: about.title,
    severity: about.severity,
    project,
    issueType,
    template: { labels, priorities, fields },
    status: 'pending' as const,
    subjectStatus: about.status,
    taskId: task.id,
    ...UNTOLD,
  };
  const ticket = batch.create(tickets, table.stamp<StoredTicket>(draft));
  batch.write(...writes);
  await batch.commit();
  await sendOutbox({ connections, table }, { task, send });
  return ticket;
}

const UNTOLD = {
  issueId: null,
  issueKey: null,
  issueStatus: null,
  url: null,
  assignee: null,
  issueUpdatedAt: null,
  attemptedAt: null,
  resolvedAt: null,
  syncedAt: null,
  error: null,
  awaitsProof: false,
  toldCount: 0,
};
