import Stripe from 'stripe';
import { nowMs } from '#shared/platform/runtime/clock.ts';
import { newId } from '#shared/platform/runtime/ids.ts';
import type { TestSystem } from './system.ts';

const stripe = new Stripe('sk_test_unused');

/** The header of Stripe's own library for a body. `age`: seconds since it was signed. */
export const signatureOf = (payload: string, secret: string, age = 0): string =>
  stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(nowMs() / 1000) - age });

/** Whether Stripe's own library takes the header for the body. */
export function isSignedForStripe(payload: string, header: string, secret: string): boolean {
  try {
    stripe.webhooks.constructEvent(payload, header, secret);
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
    throw error;
  }
}

export const BEGIN = Date.parse('2026-11-01T08:00:00Z') / 1000;
const MONTH = 30 * 86_400;

export type StripeEvent = { id: string; object: 'event'; type: string; created: number; data: object };

/** An event, by the fields of Stripe's events that matter here. */
export const eventOf = (type: string, created: number, object: object, previous_attributes?: object): StripeEvent => ({
  ...{ id: `evt_${newId()}`, object: 'event', type, created, api_version: '2026-10-28.basil', livemode: false },
  ...{ pending_webhooks: 1, request: { id: null, idempotency_key: null } },
  data: { object, ...(previous_attributes && { previous_attributes }) },
});

type Named = { customer: string; organizationId?: string | undefined };

const metadataOf = ({ organizationId }: Pick<Named, 'organizationId'>): Record<string, string> =>
  organizationId ? { organizationId } : {};

export const customerOf = ({ customer, organizationId }: Named) =>
  ({
    ...{ id: customer, object: 'customer', email: 'billing@example.com', name: 'Example', livemode: false },
    ...{ created: BEGIN, metadata: metadataOf({ organizationId }), delinquent: false },
  }) satisfies Partial<Stripe.Customer>;

type SubscriptionState = Named & { id: string; status: Stripe.Subscription.Status; plan?: string; from?: number };

export const subscriptionOf = ({ id, customer, status, plan = 'team', from = BEGIN, ...named }: SubscriptionState) => {
  const price = { id: 'price_1', object: 'price', lookup_key: plan, nickname: plan.toUpperCase() };
  return {
    ...{ id, object: 'subscription', customer, status, start_date: BEGIN, created: BEGIN, trial_end: null },
    ...{ cancel_at: null, cancel_at_period_end: false, ended_at: null, metadata: metadataOf(named) },
    items: {
      ...{ object: 'list', has_more: false, url: '/v1/subscription_items' },
      data: [
        {
          ...{ id: 'si_1', object: 'subscription_item', quantity: 3, price },
          ...{ current_period_start: from, current_period_end: from + MONTH },
        },
      ],
    },
  } satisfies Omit<Partial<Stripe.Subscription>, 'items'> & { items: object };
};

type InvoiceState = { id: string; customer: string; status: Stripe.Invoice.Status; created: number; paid?: number };

export const invoiceOf = ({ id, customer, status, created, paid = 0 }: InvoiceState) =>
  ({
    ...{ id, object: 'invoice', customer, status, created, number: id.toUpperCase(), currency: 'eur' },
    ...{ amount_due: 9900, amount_paid: paid, attempt_count: 1, next_payment_attempt: null, due_date: null },
    hosted_invoice_url: `https://invoice.stripe.com/i/${id}`,
  }) satisfies Partial<Stripe.Invoice>;

export const summaryOf = (customer: string, keys: readonly string[]) => ({
  ...{ object: 'entitlements.active_entitlement_summary', customer, livemode: false },
  entitlements: {
    ...{ object: 'list', has_more: false, url: `/v1/customer/${customer}/entitlements` },
    data: keys.map((lookup_key) => ({
      id: `ent_${lookup_key}`,
      object: 'entitlements.active_entitlement',
      lookup_key,
    })),
  },
});

export const checkoutOf = (customer: string, client_reference_id: string) =>
  ({
    ...{ id: `cs_${newId()}`, object: 'checkout.session', customer, client_reference_id, metadata: {} },
    ...{ mode: 'subscription', status: 'complete' },
  }) satisfies Partial<Stripe.Checkout.Session>;

/** Sends events as Stripe does. Each attempt is signed at another second, as its attempts are. */
export function billingSender({ connections, client }: TestSystem) {
  const secret = connections.secrets.get(connections.settings.BILLING_SECRET);
  let attempts = 0;
  return {
    secret,
    send: async (event: object | string, header?: string) => {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const signature = header ?? signatureOf(body, await secret, 200 - (++attempts % 200));
      return client().send('POST', '/api/v1/webhooks/billingprocessor', {
        ...{ body, headers: { 'content-type': 'application/json', 'stripe-signature': signature } },
      });
    },
  };
}
