import * as z from 'zod';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, worked } from '#shared/code/integrations/delivery-list.ts';
import { headerText } from '#shared/code/integrations/header-text.ts';
import { Integration } from '#shared/code/integrations/integration.ts';
import { secretRotation, testedAccess } from '#shared/code/integrations/rotation.ts';
import { admin } from '#shared/platform/auth/access.ts';
import { backwardPageOf } from '#shared/platform/http/backward.ts';
import { Listing, pageOf } from '#shared/platform/http/pagination.ts';
import {
  createBody,
  Deletion,
  live,
  objectNamed,
  patchBody,
  readOnly,
  Timestamp,
} from '#shared/platform/http/records.ts';
import { defineRoutes, get, patch, post, remove } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';
import { machineRoutes } from './machine-routes.ts';

const path = '/api/v1/integrations';
const anyone = { role: 'viewer' } as const;

const { kind, account, baseUrl, syncTaskId: _syncTaskId, ...shape } = Integration.shape;

/** An integration as it is answered. */
export const IntegrationView = objectNamed('Integration', {
  ...shape,
  kind: readOnly(kind),
  account: readOnly(account),
  baseUrl: readOnly(baseUrl),
  webhookUrl: live(z.string().meta({ description: 'where the code host is to send events' })),
});
export type IntegrationView = z.infer<typeof IntegrationView>;

const MAX_TEXT = 16_384;

/** The means by which the service may ask the code host; they are stored encrypted and are in no answer. */
const givenAccess = {
  token: headerText(MAX_TEXT)
    .optional()
    .meta({
      description:
        'with which the service asks the code host. GitHub: a fine-grained token that may read metadata and contents and write commit ' +
        'statuses and pull requests; GitLab: a group access token of the scope `api`',
      writeOnly: true,
    }),
  app: z
    .strictObject({
      appId: headerText(MAX_TEXT),
      installationId: headerText(MAX_TEXT),
      privateKey: z.string().trim().min(1).max(MAX_TEXT),
    })
    .optional()
    .meta({
      description:
        'a GitHub App that is installed in the account, in place of a token: only it makes checks, and tokens for scanners that clone',
      writeOnly: true,
    }),
};
export type GivenAccess = z.infer<z.ZodObject<typeof givenAccess>>;

const IntegrationCreate = createBody(IntegrationView, { kind, account, baseUrl, ...givenAccess }).meta({
  id: 'IntegrationCreate',
});

const TestedAccess = objectNamed('TestedAccess', {
  ...testedAccess,
  identity: z.string().nullable().meta({ description: 'whose access it is, as the code host says' }),
  rights: z.array(z.string()).meta({ description: 'the token scopes, where the code host reports them' }),
  rateLimit: z
    .object({ remaining: z.int(), resetAt: Timestamp })
    .nullable()
    .meta({ description: 'requests that are left' }),
});

const webhookSecret = z.string().meta({ description: 'shown once: the secret of the webhook at the code host' });

/** An event that a code host sent, and its outcome. */
export const WorkedDelivery = Delivery.extend({
  action: z.string().nullable(),
  repository: z.string().nullable().meta({ description: 'its full name' }),
  ...worked,
}).meta({ id: 'WorkedDelivery' });

export const integrationRoutes = defineRoutes({
  listIntegrations: get(path, {
    summary: 'List the connected accounts, newest first',
    description: 'Only the answer that creates a secret shows it.',
    access: anyone,
    query: Listing.extend({ kind: kind.optional() }),
    response: pageOf(IntegrationView),
  }),
  createIntegration: post(path, {
    summary: 'Connect an account of a code host',
    description:
      'Only this answer shows the `webhookSecret`. At GitHub, add a webhook of the organization with the answered `webhookUrl`, ' +
      'the content type `application/json` and the secret. At GitLab, add a webhook of the group with the secret as its signing ' +
      'token, or as its secret token if GitLab has no signing token yet. With a `token` or an `app` the service checks the access ' +
      'at once (`status`, `error`), and reads the repositories.',
    access: { ...admin, own: true },
    body: IntegrationCreate,
    response: IntegrationView.extend({ webhookSecret }).meta({ id: 'CreatedIntegration' }),
    answersSecret: true,
  }),
  getIntegration: get(`${path}/{id}`, {
    summary: 'Read a connected account and its health',
    description:
      'The status is `degraded` with an `error` after an event that could not be processed; the next processed event sets it to ' +
      '`connected` again.',
    access: anyone,
    response: IntegrationView,
  }),
  updateIntegration: patch(`${path}/{id}`, {
    summary: 'Rename an integration, disable it, or change its access',
    description:
      'A merge patch. The account cannot change: create another integration for another account. A `token` or an `app` replaces ' +
      'the previous access; null removes it.',
    access: admin,
    body: patchBody(IntegrationView.extend(givenAccess), IntegrationView),
    response: IntegrationView,
  }),
  deleteIntegration: remove(`${path}/{id}`, {
    summary: 'Disconnect an account',
    description: 'Further deliveries are refused. The repositories, their findings and their history stay.',
    access: admin,
    response: Deletion,
  }),
  rotateWebhookSecret: post(`${path}/{id}/secret`, {
    summary: 'Give the webhook of an integration a new secret',
    description: 'Only this answer shows the secret.',
    access: { ...admin, own: true },
    ...secretRotation,
    answersSecret: true,
  }),
  testIntegration: post(`${path}/{id}/test`, {
    summary: 'Test the access to the code host',
    description:
      'If the host refuses, the answer has `works: false` and the reason. The test updates the health of the integration.',
    access: admin,
    response: TestedAccess,
  }),
  syncIntegration: post(`${path}/{id}/sync`, {
    summary: 'Synchronize the repositories and branches of the account from its code host',
    description:
      'The service does this automatically once a day. The request queues a task; if such a task already waits or runs, the answer ' +
      'names that task. If the code host limits requests, the task continues when the limit allows it.',
    access: admin,
    response: QueuedResponse,
  }),
  listDeliveries: get(`${path}/{id}/deliveries`, {
    summary: 'List the received events with their results, newest first',
    description:
      'Deliveries are kept for 30 days. A delivery of a kind that changes nothing here is `ignored`, with the reason.',
    access: anyone,
    query: DeliveriesQuery,
    response: backwardPageOf(WorkedDelivery).meta({ id: 'DeliveriesAnswer' }),
  }),
  getDelivery: get(`${path}/{id}/deliveries/{deliveryId}`, {
    summary: 'Read the result of an event',
    description: '`deliveryId` is the id that the code host gave the delivery and shows beside its webhook.',
    access: anyone,
    response: WorkedDelivery,
  }),
  countDeliveries: get(`${path}/{id}/deliveries/event`, {
    summary: 'Count the received events by kind, most frequent first',
    description:
      'The counts begin with the connection of the account and include kinds that change nothing here; each delivery counts once. ' +
      'A kind without events for 400 days is removed.',
    access: anyone,
    response: z.array(ValueCount),
  }),
  replayDelivery: post(`${path}/{id}/deliveries/{deliveryId}/replay`, {
    summary: 'Process an event again',
    description: 'For an event that failed. An event that is older than the current state changes nothing.',
    access: admin,
    response: QueuedResponse,
  }),
  ...machineRoutes,
});
