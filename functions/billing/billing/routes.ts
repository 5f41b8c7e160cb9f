import * as z from 'zod';
import { BillingAccount } from '#shared/billing/account.ts';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, pageOfDeliveries, worked } from '#shared/code/integrations/delivery-list.ts';
import { admin, manager } from '#shared/platform/auth/access.ts';
import { defineRoutes, get, post } from '#shared/platform/http/route.ts';
import { ValueCount } from '#shared/platform/http/value-counts.ts';
import { QueuedResponse } from '#shared/platform/jobs/task.ts';

const path = '/api/v1/billing';

/** The account of an organization as it is answered. */
const Billing = BillingAccount.omit({ limits: true })
  .extend({
    notice: z.string().nullable().meta({ description: 'for people, where something is to be done' }),
    limits: z.array(
      z.object({
        name: z.string().meta({ example: 'waitingTasks' }),
        description: z.string(),
        limit: z.int(),
        source: z.enum(['default', 'plan', 'provider']).meta({ description: '`provider`: its staff set it' }),
        used: z.int(),
      }),
    ),
  })
  .meta({ id: 'Billing' });

/** An event of the payment processor and its outcome. */
export const BillingDelivery = Delivery.extend({ customer: z.string().nullable(), ...worked }).meta({
  id: 'BillingDelivery',
});

export const billingRoutes = defineRoutes({
  getBilling: get(path, {
    summary: 'Read the plan of your organization, its limits and the last invoice',
    description:
      'The data come from the payment processor. Without a subscription the `status` is `none` and the default limits apply. After ' +
      'a failed payment (`past_due`) nothing changes until the end of `grace`; then the default limits apply, and nothing is ' +
      'deleted: docs/billing.md',
    access: admin,
    response: Billing,
  }),
  listBillingDeliveries: get(`${path}/deliveries`, {
    summary: 'List the events of the payment processor with their results, newest first',
    description:
      'Lists the events of all organizations for 30 days. An event of a kind that changes nothing here is `ignored`, with the reason.',
    access: manager,
    query: DeliveriesQuery,
    response: pageOfDeliveries(BillingDelivery).meta({ id: 'BillingDeliveriesAnswer' }),
  }),
  countBillingDeliveries: get(`${path}/deliveries/event`, {
    summary: 'Count the events of the payment processor by kind, most frequent first',
    description:
      'The counts begin with the deployment and include kinds that change nothing here; each event counts once.',
    access: manager,
    response: z.array(ValueCount),
  }),
  replayBillingDelivery: post(`${path}/deliveries/{deliveryId}/replay`, {
    summary: 'Process an event of the payment processor again',
    description: 'For an event that failed. An event that is older than the current state changes nothing.',
    access: manager,
    response: QueuedResponse,
  }),
});
