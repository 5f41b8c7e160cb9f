import * as z from 'zod';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, pageOfDeliveries, worked } from '#shared/code/integrations/delivery-list.ts';
import { headerText } from '#shared/code/integrations/header-text.ts';
import { secretRotation, testedAccess } from '#shared/code/integrations/rotation.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, live, patchBody, readOnly } from '#shared/platform/http/records.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { TicketingConnection } from '#shared/ticketing/ticketing-connection.ts';

const path = '/api/v1/ticketing/connections';
const reader = { role: 'viewer', scope: 'jira:read' } as const;

const { edition, baseUrl, polledAt: _polledAt, pollAt: _pollAt, ...shape } = TicketingConnection.shape;

/** A connection as it is answered. */
export const ConnectionView = z
  .object({
    ...shape,
    edition: readOnly(edition),
    baseUrl: readOnly(baseUrl),
    webhookUrl: live(z.string().meta({ description: 'where Jira is to send events of issues and comments' })),
  })
  .meta({ id: 'TicketingConnection' });
export type ConnectionView = z.infer<typeof ConnectionView>;

const token = headerText(4096).optional().meta({
  description:
    'with which the service asks Jira; it is stored encrypted and is in no answer. Cloud: an API token of `account`; Data Center: a personal access token',
  writeOnly: true,
});

const ConnectionCreate = createBody(ConnectionView, { edition, baseUrl, token }).meta({
  id: 'TicketingConnectionCreate',
});

const webhookSecret = z.string().meta({ description: 'shown once: the secret of the webhook in Jira' });

const TestedConnection = z
  .object({
    ...testedAccess,
    identity: z.string().nullable().meta({ description: 'whose token it is, as Jira says' }),
  })
  .meta({ id: 'TestedConnection' });

/** An event that Jira sent, with what became of it. */
export const TicketDelivery = Delivery.extend({
  issue: z.string().nullable().meta({ description: 'its key' }),
  ...worked,
}).meta({ id: 'TicketDelivery' });

export const ticketingConnectionRoutes = defineRoutes({
  listTicketingConnections: {
    method: 'GET',
    path,
    summary: 'List the connections to Jira, newest first',
    description: 'Each with its health. The secrets of a connection are in no answer but the one that made them.',
    access: reader,
    query: Pagination,
    response: pageOf(ConnectionView),
  },
  createTicketingConnection: {
    method: 'POST',
    path,
    summary: 'Connect a Jira',
    description:
      'Jira Cloud or Data Center; docs/ticketing.md says which rights the token needs. Only this answer shows the `webhookSecret`: add a webhook in ' +
      'Jira with the answered `webhookUrl`, the secret and the events of issues and comments. Without one the service asks every five ' +
      'minutes what changed. With a `token` Jira is asked at once whether it works. An organization has at most 20 connections.',
    access: admin,
    body: ConnectionCreate,
    response: ConnectionView.extend({ webhookSecret }).meta({ id: 'CreatedTicketingConnection' }),
    answersSecret: true,
  },
  getTicketingConnection: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a connection to Jira and its health',
    description: '`failed` with `error` while Jira refuses the token or is away; the next answer mends it.',
    access: reader,
    response: ConnectionView,
  },
  updateTicketingConnection: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Rename a connection, turn it off, or give it another token',
    description:
      'A merge patch. Another Jira is another connection: its tickets stay there. A `token` of null is removed.',
    access: admin,
    body: patchBody(ConnectionView.extend({ token }), ConnectionView),
    response: ConnectionView,
  },
  deleteTicketingConnection: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Disconnect a Jira',
    description: 'Its tickets stay here as they are, and its issues in Jira. Refused while a rule names it.',
    access: admin,
    response: Deletion,
  },
  rotateTicketingSecret: {
    method: 'POST',
    path: `${path}/{id}/secret`,
    summary: 'Give the webhook of a connection a new secret',
    description: 'Only this answer shows it.',
    access: admin,
    ...secretRotation,
    answersSecret: true,
  },
  testTicketingConnection: {
    method: 'POST',
    path: `${path}/{id}/test`,
    summary: 'Ask Jira whether the token works',
    description:
      'A Jira that refuses is an answer with `works: false` and the reason. The health of the connection follows.',
    access: admin,
    response: TestedConnection,
  },
  listTicketingDeliveries: {
    method: 'GET',
    path: `${path}/{id}/deliveries`,
    summary: 'List the events that Jira sent, newest first, with what became of each',
    description: 'Deliveries are kept for 30 days.',
    access: reader,
    query: DeliveriesQuery,
    response: pageOfDeliveries(TicketDelivery).meta({ id: 'TicketDeliveriesAnswer' }),
  },
  getTicketingDelivery: {
    method: 'GET',
    path: `${path}/{id}/deliveries/{deliveryId}`,
    summary: 'Read what became of one event of Jira',
    description:
      'By the id that Jira gave the delivery (`X-Atlassian-Webhook-Identifier`), or the SHA-256 of its body where Jira gave none.',
    access: reader,
    response: TicketDelivery,
  },
  replayTicketingDelivery: {
    method: 'POST',
    path: `${path}/{id}/deliveries/{deliveryId}/replay`,
    summary: 'Work an event of Jira again',
    description: 'For one that failed. The issue is asked for as it stands then.',
    access: admin,
    response: QueuedResponse,
  },
});
