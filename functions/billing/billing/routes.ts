import * as z from 'zod';
import { BillingAccount } from '#shared/billing/account.ts';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, pageOfDeliveries, worked } from '#shared/code/integrations/delivery-list.ts';
import { admin, manager } from '#shared/platform/auth/access.ts';
import { defineRoutes } from '#shared/platform/http/route.ts';
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

/** An event of the payment processor, with what became of it. */
export const BillingDelivery = Delivery.extend({ customer: z.string().nullable(), ...worked }).meta({
  id: 'BillingDelivery',
});

export const billingRoutes = defineRoutes({
  getBilling: {
    method: 'GET',
    path,
    summary: 'Read the plan of your organization, its limits and the last invoice',
    description:
      'As the payment processor told it. Without a subscription the `status` is `none` and the default limits hold. After a failed payment ' +
      '(`past_due`) all goes on as before until the end of `grace`; then the default limits hold, and nothing is deleted: docs/billing.md',
    access: admin,
    response: Billing,
  },
  listBillingDeliveries: {
    method: 'GET',
    path: `${path}/deliveries`,
    summary: 'List the events of the payment processor, newest first, with what became of each',
    description:
      'Of all organizations, for 30 days. One of a kind that changes nothing here is `ignored`, with the reason.',
    access: manager,
    query: DeliveriesQuery,
    response: pageOfDeliveries(BillingDelivery).meta({ id: 'BillingDeliveriesAnswer' }),
  },
  countBillingDeliveries: {
    method: 'GET',
    path: `${path}/deliveries/event`,
    summary: 'Count the events of the payment processor by their kind, most frequent first',
    description:
      'Since the deployment began, those of kinds that change nothing here among them; each is counted once.',
    access: manager,
    response: z.array(ValueCount),
  },
  replayBillingDelivery: {
    method: 'POST',
    path: `${path}/deliveries/{deliveryId}/replay`,
    summary: 'Work an event of the payment processor again',
    description: 'For one that failed. An event that is older than the present state changes nothing.',
    access: manager,
    response: QueuedResponse,
  },
});
