import * as z from 'zod';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, worked } from '#shared/code/integrations/delivery-list.ts';
import { headerText } from '#shared/code/integrations/header-text.ts';
import { secretRotation, testedAccess } from '#shared/code/integrations/rotation.ts';
import { adminOf } from '#shared/platform/auth/access.ts';
import { backwardPageOf } from '#shared/platform/http/backward.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, live, objectNamed, patchBody, readOnly } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { TicketingConnection } from '#shared/ticketing/ticketing-connection.ts';

const path = '/api/v1/ticketing/connections';
const admin = adminOf('ticketing');
const reader = { role: 'viewer', scope: 'jira:read' } as const;

const { edition, baseUrl, polledAt: _polledAt, pollAt: _pollAt, ...shape } = TicketingConnection.shape;

/** A connection as it is answered. */
export const ConnectionView = objectNamed('TicketingConnection', {
  ...shape,
  edition: readOnly(edition),
  baseUrl: readOnly(baseUrl),
  webhookUrl: live(z.string().meta({ description: 'where Jira is to send events of issues and comments' })),
});
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

const TestedConnection = objectNamed('TestedConnection', {
  ...testedAccess,
  identity: z.string().nullable().meta({ description: 'whose token it is, as Jira says' }),
});

/** An event that Jira sent, and its outcome. */
export const TicketDelivery = Delivery.extend({
  issue: z.string().nullable().meta({ description: 'its key' }),
  ...worked,
}).meta({ id: 'TicketDelivery' });

export const ticketingConnectionRoutes = defineRoutes({
  listTicketingConnections: get(path, {
    summary: 'List the connections to Jira, newest first',
    description: 'Each connection has its health. Only the answer that creates a secret shows it.',
    access: reader,
    query: Listing,
    response: pageOf(ConnectionView),
  }),
  createTicketingConnection: post(path, {
    summary: 'Connect a Jira',
    description:
      'Connects Jira Cloud or Data Center; docs/ticketing.md lists the rights that the token needs. Only this answer shows the ' +
      '`webhookSecret`: add a webhook in Jira with the answered `webhookUrl`, the secret and the events of issues and comments. ' +
      'Without a webhook the service asks Jira for changes every five minutes. With a `token` the service tests the access at ' +
      'once. An organization has at most 20 connections.',
    access: { ...admin, own: true },
    body: ConnectionCreate,
    response: ConnectionView.extend({ webhookSecret }).meta({ id: 'CreatedTicketingConnection' }),
    answersSecret: true,
  }),
  getTicketingConnection: get(`${path}/{id}`, {
    summary: 'Read a connection to Jira and its health',
    description:
      'The status is `failed` with an `error` while Jira refuses the token or is unreachable; the next successful answer of Jira ' +
      'clears it.',
    access: reader,
    response: ConnectionView,
  }),
  updateTicketingConnection: patch(`${path}/{id}`, {
    summary: 'Rename a connection, disable it, or change its token',
    description:
      'A merge patch. The Jira cannot change: create another connection for another Jira. `token: null` removes the token.',
    access: admin,
    body: patchBody(ConnectionView.extend({ token }), ConnectionView),
    response: ConnectionView,
  }),
  deleteTicketingConnection: remove(`${path}/{id}`, {
    summary: 'Disconnect a Jira',
    description:
      'The tickets stay here, and the issues stay in Jira. The request is refused while a rule names the connection.',
    access: admin,
    response: Deletion,
  }),
  rotateTicketingSecret: post(`${path}/{id}/secret`, {
    summary: 'Give the webhook of a connection a new secret',
    description: 'Only this answer shows the secret.',
    access: { ...admin, own: true },
    ...secretRotation,
    answersSecret: true,
  }),
  testTicketingConnection: post(`${path}/{id}/test`, {
    summary: 'Test the token of a connection to Jira',
    description:
      'If Jira refuses, the answer has `works: false` and the reason. The test updates the health of the connection.',
    access: admin,
    response: TestedConnection,
  }),
  listTicketingDeliveries: get(`${path}/{id}/deliveries`, {
    summary: 'List the events from Jira with their results, newest first',
    description: 'Deliveries are kept for 30 days.',
    access: reader,
    query: DeliveriesQuery,
    response: backwardPageOf(TicketDelivery).meta({ id: 'TicketDeliveriesAnswer' }),
  }),
  getTicketingDelivery: get(`${path}/{id}/deliveries/{deliveryId}`, {
    summary: 'Read the result of an event from Jira',
    description:
      '`deliveryId` is the id that Jira gave the delivery (`X-Atlassian-Webhook-Identifier`), or the SHA-256 of its body if Jira ' +
      'gave none.',
    access: reader,
    response: TicketDelivery,
  }),
  replayTicketingDelivery: post(`${path}/{id}/deliveries/{deliveryId}/replay`, {
    summary: 'Process an event from Jira again',
    description: 'For an event that failed. The service reads the current state of the issue.',
    access: admin,
    response: QueuedResponse,
  }),
});
