import * as z from 'zod';
import { admin } from '#shared/auth/access.ts';
import { Integration } from '#shared/entities/integration.ts';
import { Pagination, pageOf, wholeNumber } from '#shared/http/pagination.ts';
import { createBody, Deletion, live, patchBody, readOnly, Timestamp } from '#shared/http/records.ts';
import { defineRoutes } from '#shared/http/route.ts';
import { Delivery } from '#shared/integrations/deliveries.ts';
import { DeliveryResult } from '#shared/integrations/result.ts';
import { QueuedResponse, TASK_STATUSES } from '#shared/jobs/task.ts';

const path = '/api/v1/integrations';
const anyone = { role: 'viewer' } as const;

const { kind, account, baseUrl, ...shape } = Integration.shape;

/** An integration as it is answered. */
export const IntegrationView = z
  .object({
    ...shape,
    kind: readOnly(kind),
    account: readOnly(account),
    baseUrl: readOnly(baseUrl),
    webhookUrl: live(z.string().meta({ description: 'where the code host is to send events' })),
  })
  .meta({ id: 'Integration' });
export type IntegrationView = z.infer<typeof IntegrationView>;

const IntegrationCreate = createBody(IntegrationView, { kind, account, baseUrl }).meta({ id: 'IntegrationCreate' });

const webhookSecret = z.string().meta({ description: 'shown once: the secret of the webhook at the code host' });

const WorkedDelivery = Delivery.extend({
  status: z.enum(TASK_STATUSES),
  outcome: DeliveryResult.nullable().meta({ description: 'null while it waits' }),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
}).meta({ id: 'WorkedDelivery' });

const DeliveriesQuery = z.object({
  before: z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z_[\w.:-]{1,100}$/, 'must be `next` of an answer of this operation')
    .optional()
    .meta({ description: '`next` of the answer before' }),
  limit: z
    .preprocess((text) => wholeNumber(text as string), z.int().min(1).max(100))
    .default(50)
    .meta({ description: 'deliveries of the answer at most' }),
});

export const integrationRoutes = defineRoutes({
  listIntegrations: {
    method: 'GET',
    path,
    summary: 'List the connected accounts, newest first',
    description: 'The secrets of an account are in no answer but the one that made them.',
    access: anyone,
    query: Pagination,
    response: pageOf(IntegrationView),
  },
  createIntegration: {
    method: 'POST',
    path,
    summary: 'Connect an account of a code host',
    description:
      'Only this answer shows the `webhookSecret`. At GitHub add a webhook of the organization with the answered `webhookUrl`, the ' +
      'content type `application/json` and the secret; at GitLab one of the group, with the secret as its signing token, or as its secret ' +
      'token where there is none yet.',
    access: admin,
    body: IntegrationCreate,
    response: IntegrationView.extend({ webhookSecret }).meta({ id: 'CreatedIntegration' }),
    answersSecret: true,
  },
  getIntegration: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read a connected account and its health',
    description:
      '`degraded` with `error` after an event that could not be worked; the next one that could makes it `connected` again.',
    access: anyone,
    response: IntegrationView,
  },
  updateIntegration: {
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Rename an integration, or turn it off',
    description: 'A merge patch. Another account is another integration.',
    access: admin,
    body: patchBody(IntegrationView),
    response: IntegrationView,
  },
  deleteIntegration: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Disconnect an account',
    description: 'Its deliveries are refused from then on. Its repositories, their findings and their history stay.',
    access: admin,
    response: Deletion,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${path}/{id}/secret`,
    summary: 'Give the webhook of an integration a new secret',
    description: 'Only this answer shows it.',
    access: admin,
    body: z.object({
      overlapSeconds: z
        .int()
        .min(0)
        .max(7 * 86_400)
        .default(86_400)
        .meta({ description: 'seconds for which the earlier secret works as well; 0 after a leak' }),
    }),
    response: z
      .object({ webhookSecret, previousWorksUntil: Timestamp.nullable() })
      .meta({ id: 'RotatedWebhookSecret' }),
    answersSecret: true,
  },
  listDeliveries: {
    method: 'GET',
    path: `${path}/{id}/deliveries`,
    summary: 'List the events that came, newest first, with what became of each',
    description:
      'Deliveries are kept for 30 days. One of a kind that changes nothing here is `ignored`, with the reason.',
    access: anyone,
    query: DeliveriesQuery,
    response: z
      .object({
        data: z.array(WorkedDelivery),
        next: z.string().nullable().meta({ description: 'send it as `before` to go on; null: there is no more' }),
      })
      .meta({ id: 'DeliveriesAnswer' }),
  },
  replayDelivery: {
    method: 'POST',
    path: `${path}/{id}/deliveries/{deliveryId}/replay`,
    summary: 'Work an event again',
    description: 'For one that failed. An event that is older than the present state changes nothing.',
    access: admin,
    response: QueuedResponse,
  },
});
