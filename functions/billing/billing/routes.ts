import * as z from 'zod';
import { BillingAccount, Invoice } from '#shared/billing/account.ts';
import { Delivery } from '#shared/code/integrations/deliveries.ts';
import { DeliveriesQuery, worked } from '#shared/code/integrations/delivery-list.ts';
import { admin, manager, ownAdmin } from '#shared/platform/auth/access.ts';
import { backwardPageOf } from '#shared/platform/http/backward.ts';
import { Pagination, pageOf } from '#shared/platform/http/pagination.ts';
import { objectNamed } from '#shared/platform/http/records.ts';
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
    actions: z
      .object({
        portal: z
          .boolean()
          .meta({ description: 'whether `POST /api/v1/billing/portal` leads to the pages of the payment processor' }),
        checkout: z.boolean().meta({ description: 'whether `POST /api/v1/billing/checkout` can begin a plan' }),
      })
      .meta({ description: 'that the deployment and the state of the plan allow' }),
  })
  .meta({ id: 'Billing' });

const Plan = objectNamed('BillingPlan', {
  id: z.string().meta({ description: 'the lookup key of the price', example: 'team' }),
  name: z.string(),
  currency: z.string().meta({ example: 'eur' }),
  amount: z
    .number()
    .nullable()
    .meta({ description: 'of one unit, in the smallest unit of the currency; null: by tiers' }),
  every: z.object({ count: z.int(), unit: z.string().meta({ example: 'month' }) }),
});

const PaymentPage = objectNamed('PaymentPage', {
  url: z
    .url()
    .meta({ description: 'a page of the payment processor, for the browser of the person who asked; it ends soon' }),
});

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
  listBillingInvoices: get(`${path}/invoices`, {
    summary: 'List the invoices of your organization, newest first',
    description: 'The list has every invoice of which an event of the payment processor was worked since release 2.0.',
    access: admin,
    query: Pagination,
    response: pageOf(Invoice),
  }),
  listBillingPlans: get(`${path}/plans`, {
    summary: 'List the plans that your organization can buy',
    description:
      'The answer comes from the payment processor. `conflict`: it does not answer, or this deployment sells no plans.',
    access: admin,
    response: z.array(Plan).meta({ id: 'BillingPlans' }),
  }),
  startBillingCheckout: post(`${path}/checkout`, {
    summary: 'Begin a plan on a page of the payment processor',
    description:
      'Open `url` in a browser to pay. The plan begins when the payment is reported, seconds later. An organization with a plan is ' +
      'refused (`conflict`): change the plan with `POST /api/v1/billing/portal`.',
    access: ownAdmin,
    body: z.object({
      plan: z.string().min(1).max(200).meta({ description: '`id` of a plan', example: 'team' }),
      quantity: z.int().min(1).max(100_000).default(1),
    }),
    response: PaymentPage,
  }),
  openBillingPortal: post(`${path}/portal`, {
    summary: 'Open the pages on which your organization changes its plan and its means of payment',
    description:
      'Open `url` in a browser; it needs no further sign-in, so give it to nobody. `conflict`: there is no customer of the payment ' +
      'processor yet, it does not answer, or this deployment sells no plans.',
    access: ownAdmin,
    response: PaymentPage,
  }),
  listBillingDeliveries: get(`${path}/deliveries`, {
    summary: 'List the events of the payment processor with their results, newest first',
    description:
      'Lists the events of all organizations for 30 days. An event of a kind that changes nothing here is `ignored`, with the reason.',
    access: manager,
    query: DeliveriesQuery,
    response: backwardPageOf(BillingDelivery).meta({ id: 'BillingDeliveriesAnswer' }),
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
