import { expect } from 'vitest';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { Table } from '#shared/platform/table/table.ts';
import { wakeViews } from '#shared/platform/views/wake.ts';
import { type StoredTicket, tickets } from '#shared/ticketing/ticket.ts';
import { system } from '../analyst.ts';
import type { TestOrganization } from '../system.ts';
import { eventually } from '../wait.ts';
import { JIRA_TOKEN, type JiraServer, MAIL } from './server.ts';

/** Connects a local Jira, Cloud unless `more` says otherwise. */
export const connectJira = (own: TestOrganization, jira: JiraServer, more: object = {}) =>
  own.admin.ok('createTicketingConnection', {
    body: {
      name: 'Jira',
      edition: 'cloud',
      baseUrl: jira.url,
      account: MAIL,
      token: JIRA_TOKEN,
      ...more,
    } as never,
  });

/** The changes of an organization reach their readers. */
export const told = (own: TestOrganization) => wakeViews(system.connections, own.table, newId());

/** Opens a ticket for a finding by hand. */
export const openFor = (own: TestOrganization, id: string, project = 'SEC') =>
  own.admin.ok('openTickets', { body: { subjects: [{ type: 'finding', id }], project } as never });

/** The ticket of a subject, once it is as wanted. */
export const ticketOf = (own: TestOrganization, subjectId: string, wanted: object) =>
  eventually(async () => {
    await told(own);
    const { data } = await own.admin.ok('listTickets', { query: { subjectId } });
    expect(data).toMatchObject([wanted]);
    const [ticket] = data;
    if (!ticket) throw new Error('no ticket');
    return ticket;
  });

/** A ticket without Jira. */
export const makeTicket = (table: Table): Promise<StoredTicket> =>
  table.create(tickets, {
    connectionId: newId(),
    ruleId: null,
    subject: { type: 'finding', id: newId() },
    key: newId(),
    title: 'Weak cipher',
    severity: 'low',
    status: 'pending',
    issueId: null,
    issueKey: null,
    issueStatus: null,
    url: null,
    assignee: null,
    subjectStatus: 'open',
    awaitsProof: false,
    project: 'SEC',
    issueType: 'Task',
    resolvedAt: null,
    syncedAt: null,
    error: null,
    taskId: null,
    attemptedAt: null,
    issueUpdatedAt: null,
    toldCount: 0,
    template: { labels: [], priorities: {}, fields: {} },
  });
