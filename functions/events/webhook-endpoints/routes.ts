import * as z from 'zod';
import { secretRotation } from '#shared/code/integrations/rotation.ts';
import { WebhookEndpoint } from '#shared/events/webhook-endpoint.ts';
import { admin, ownAdmin } from '#shared/platform/auth/access.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import { createBody, Deletion, objectNamed, patchBody } from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { Attempt } from '#shared/platform/outgoing/delivery.ts';

const path = '/api/v1/webhook-endpoints';

/** An endpoint as it is answered. */
export const EndpointView = objectNamed('WebhookEndpoint', WebhookEndpoint.shape);
export type EndpointView = z.infer<typeof EndpointView>;

const webhookSecret = z.string().meta({ description: 'shown once: the secret with which requests are signed' });
export const webhookEndpointRoutes = defineRoutes({
  listWebhookEndpoints: get(path, {
    summary: 'List the webhook endpoints, newest first',
    description: 'Each endpoint has its health. Only the answer that creates a secret shows it.',
    access: admin,
    query: Listing,
    response: pageOf(EndpointView),
  }),
  createWebhookEndpoint: post(path, {
    summary: 'Have events sent to an address',
    description:
      'From now on the service sends each event of the `types` in a POST, signed by Standard Webhooks (`webhook-id`, ' +
      '`webhook-timestamp`, `webhook-signature`). Only this answer shows the `webhookSecret`. The endpoint answers 2xx within 15 ' +
      'seconds. Any other answer is repeated, from seconds to a day apart, with the same id; later events wait, so that their order ' +
      'holds. docs/webhooks.md shows how to verify a request. An organization has at most 20 endpoints.',
    access: ownAdmin,
    body: createBody(EndpointView).meta({ id: 'WebhookEndpointCreate' }),
    response: EndpointView.extend({ webhookSecret }).meta({ id: 'CreatedWebhookEndpoint' }),
    answersSecret: true,
  }),
  getWebhookEndpoint: get(`${path}/{id}`, {
    summary: 'Read a webhook endpoint and its health',
    description:
      '`failing`: the last call failed, and `error` says why. The next event that the endpoint takes clears it.',
    access: admin,
    response: EndpointView,
  }),
  updateWebhookEndpoint: patch(`${path}/{id}`, {
    summary: 'Change a webhook endpoint, or turn it off or on',
    description:
      'A merge patch. What happened while the endpoint was off is sent when it is on again. A call that waits for its time is ' +
      'made at once after a change.',
    access: ownAdmin,
    body: patchBody(EndpointView),
    response: EndpointView,
  }),
  deleteWebhookEndpoint: remove(`${path}/{id}`, {
    summary: 'Remove a webhook endpoint',
    description: 'Nothing is sent to it any more.',
    access: admin,
    response: Deletion,
  }),
  rotateWebhookEndpointSecret: post(`${path}/{id}/secret`, {
    summary: 'Give a webhook endpoint a new secret',
    description:
      'Only this answer shows the secret. Until `previousWorksUntil` each request has a signature by each of the two.',
    access: ownAdmin,
    ...secretRotation,
    answersSecret: true,
  }),
  testWebhookEndpoint: post(`${path}/{id}/test`, {
    summary: 'Send a webhook endpoint an event of the type `webhook.test`',
    description: 'The answer says what came of the call. The test changes no health and no order of events.',
    access: admin,
    readOnly: true,
    response: Attempt,
  }),
  sendEventsAgain: post(`${path}/{id}/again`, {
    summary: 'Send the events since a number again',
    description:
      'For a receiver that lost events: `since` is the `sequence` of the last event that it has. Each event has its former id, and is ' +
      'sent in order.',
    access: admin,
    body: z.strictObject({ since: z.int().nonnegative().meta({ example: 4711 }) }).meta({ id: 'SendEventsAgain' }),
    response: EndpointView,
  }),
});
